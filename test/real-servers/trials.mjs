// What each server is asked for.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { same } from "../support/tally.mjs";
import { openBoth } from "./server.mjs";

const PRIVATE = "only-the-owner-reads-this";
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export async function tryServers(world) {
  await tryFilesystem(world);
  await tryMemory(world);
  await trySequentialThinking(world);
  await tryEverything(world);
}

async function tryFilesystem({ root, tally }) {
  const outside = join(root, "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), PRIVATE);
  const server = await openBoth({
    server: "filesystem",
    folder: join(root, "filesystem"),
    tally,
    // The server may by itself do far more: the whole of the file system.
    prepare(project) {
      const put = (path, content) =>
        writeFileSync(join(project, path), content);
      mkdirSync(join(project, "src/deep"), { recursive: true });
      mkdirSync(join(project, ".git"));
      put(
        "notes.txt",
        'one\ntwo \u{1F680} \u2028 \u00e9 e\u0301 "quoted" \\ \t\n',
      );
      put("src/main.ts", "export const a = 1;\n");
      put("src/deep/[id].ts", "export {};\n");
      put("pixel.png", Buffer.from(PNG, "base64"));
      put("empty.txt", "");
      for (const path of [".env", "key.pem", ".git/config"]) put(path, PRIVATE);
      symlinkSync("/etc/passwd", join(project, "link.txt"));
      symlinkSync(outside, join(project, "link"));
      return { args: ["/"], rules: { tools: "all" } };
    },
  });
  const { project } = server;
  const at = (path) => `${project}/${path}`;

  const names = async (client) =>
    (await client.ask("tools/list")).result.tools.map(({ name }) => name);
  server.check(
    "lists its tools",
    same("the list", await names(server.guarded), await names(server.alone)),
  );

  for (const path of [
    "notes.txt",
    "src/main.ts",
    "src/deep/[id].ts",
    "empty.txt",
  ])
    await server.same("read_text_file", { path: at(path) });
  await server.same("read_text_file", { path: at("notes.txt"), head: 1 });
  await server.same("read_text_file", { path: at("src/../notes.txt") });
  await server.same("read_media_file", { path: at("pixel.png") });
  await server.same("read_multiple_files", {
    paths: [at("notes.txt"), at("src/main.ts")],
  });
  await server.same("list_directory", { path: at("src") });
  await server.same("list_directory_with_sizes", { path: at("src") });
  await server.same("directory_tree", { path: at("src") });
  await server.same("search_files", { path: at("src"), pattern: "*.ts" });
  await server.same("write_file", { path: at("new.txt"), content: "written" });
  await server.same("create_directory", { path: at("made") });
  await server.same("edit_file", {
    path: at("new.txt"),
    edits: [{ oldText: "written", newText: "written" }],
  });
  server.check(
    "writes to the disk",
    same("the file", readFileSync(at("new.txt"), "utf8"), "written"),
  );

  const spellings = [
    "../../etc/passwd",
    `${project}/../../../../../../etc/passwd`,
    "/etc/passwd",
    "//etc//passwd",
    "/etc/./passwd",
    "file:///etc/passwd",
    "/proc/self/environ",
    "/proc/1/root/etc/passwd",
    "~/.ssh/id_rsa",
    at("link.txt"),
    at("link/secret.txt"),
    at("link/../outside/secret.txt"),
    join(outside, "secret.txt"),
    at(".env"),
    at("src/../.env"),
    at("key.pem"),
    at(".git/config"),
  ];
  for (const path of spellings)
    for (const tool of ["read_text_file", "get_file_info"])
      await server.refused(tool, { path }, { secret: PRIVATE });
  await server.refused(
    "read_multiple_files",
    { paths: [at("notes.txt"), at(".env")] },
    { secret: PRIVATE },
  );
  await server.refused("write_file", {
    path: join(outside, "made.txt"),
    content: "x",
  });
  await server.refused("write_file", {
    path: at("link/made.txt"),
    content: "x",
  });
  await server.refused("move_file", {
    source: at("new.txt"),
    destination: join(outside, "made.txt"),
  });
  await server.refused("create_directory", { path: join(outside, "made") });
  await server.refused("list_directory", { path: "/" });
  await server.refused("list_directory", { path: at("link") });
  server.check(
    "nothing is made outside",
    ["made.txt", "made"].filter((name) => existsSync(join(outside, name))),
  );
  await server.close();
}

async function tryMemory({ root, tally }) {
  const server = await openBoth({
    server: "memory",
    folder: join(root, "memory"),
    tally,
    prepare: (project) => ({
      env: { MEMORY_FILE_PATH: join(project, "memory.jsonl") },
      rules: { tools: { allow: "all", deny: ["delete_*"] } },
    }),
  });
  const entity = {
    name: "Fenzi",
    entityType: "program",
    observations: ["judges calls", "caf\u00e9 \u{1F980}"],
  };
  // The two share a file: the second to write finds everything there.
  const { result } = await server.guarded.call("create_entities", {
    entities: [entity],
  });
  server.check(
    "creates",
    same("what it says", result.structuredContent?.entities, [entity]),
  );
  await server.same("create_entities", { entities: [entity] });
  await server.same("read_graph", {});
  await server.same("search_nodes", { query: "caf\u00e9" });
  await server.same("open_nodes", { names: ["Fenzi", "nobody"] });
  await server.refused("delete_entities", { entityNames: ["Fenzi"] });
  await server.refused("add_observations", {
    observations: [{ entityName: "Fenzi", contents: ["/etc/passwd"] }],
  });
  await server.same("read_graph", {});
  const resources = await server.guarded.ask("resources/list");
  server.check(
    "its resources are closed",
    same("the code", resources.error?.code, 4030),
  );
  await server.close();
}

async function trySequentialThinking({ root, tally }) {
  const server = await openBoth({
    server: "sequential-thinking",
    folder: join(root, "sequential-thinking"),
    tally,
    prepare: () => ({ rules: { tools: { allow: ["sequentialthinking"] } } }),
  });
  for (const thoughtNumber of [1, 2, 3])
    await server.same("sequentialthinking", {
      thought: `Step ${thoughtNumber}: and/or, 50% of it.`,
      thoughtNumber,
      totalThoughts: 3,
      nextThoughtNeeded: thoughtNumber < 3,
    });
  await server.close();
}

async function tryEverything({ root, tally }) {
  const server = await openBoth({
    server: "everything",
    folder: join(root, "everything"),
    tally,
    prepare: () => ({
      args: ["stdio"],
      rules: {
        tools: { allow: "all", deny: ["get-env", "trigger-sampling-*"] },
      },
    }),
  });
  await server.same("echo", { message: "hello \u{1F44B} \u2028" });
  await server.same("get-sum", { a: 2, b: 40 });
  await server.same("get-tiny-image", {});
  await server.same("get-structured-content", { location: "Chicago" });
  await server.same("get-annotated-message", {
    messageType: "success",
    includeImage: true,
  });
  await server.same("get-resource-links", { count: 3 });
  await server.refused("get-env", {});
  await server.refused("trigger-sampling-request", { prompt: "hello" });

  const long = { duration: 1, steps: 2 };
  await server.same("trigger-long-running-operation", long);
  await server.guarded.ask("tools/call", {
    name: "trigger-long-running-operation",
    arguments: long,
    _meta: { progressToken: "here" },
  });
  server.check(
    "says how far it is",
    same(
      "the progress",
      server.guarded.lines
        .map((line) => JSON.parse(line))
        .filter(({ method }) => method === "notifications/progress")
        .map(({ params }) => [params.progressToken, params.progress]),
      [
        ["here", 1],
        ["here", 2],
      ],
    ),
  );
  for (const method of ["resources/list", "prompts/list", "logging/setLevel"]) {
    const { error } = await server.guarded.ask(method, { level: "debug" });
    server.check(`${method} is closed`, same("the code", error?.code, 4030));
  }
  await server.close();
}
