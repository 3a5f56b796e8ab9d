// Which file `mcp remove` takes a server out of, and what it says when there is none.
import { expect, test } from "vitest";
import { run } from "./run.ts";

const FILE = `version: 1
mcp:
  a:
    command: [x] # a's own
  # about b
  b:
    command: [y]
`;
const MACHINE = `version: 1\nmcp:\n  corp:\n    url: https://corp.example/mcp\n    tools: all\n`;

test("takes the entry out and keeps all else", async () => {
  const ran = await run(["mcp", "remove", "a"], {
    project: { "fenzi.yaml": FILE },
  });
  expect(ran.exit).toBe(0);
  expect(ran.out).toBe("removed a from fenzi.yaml\n");
  expect(ran.file()).toBe(
    FILE.replace("  a:\n    command: [x] # a's own\n", ""),
  );
  expect(ran.err).toContain("a comment inside the entry went with it");
});

test("takes it out of the nearest file that has it", async () => {
  const project = {
    "fenzi.yaml": FILE,
    "sub/fenzi.yaml": "version: 1\nmcp:\n  b:\n    enabled: false\n",
  };
  const near = await run(["mcp", "remove", "b"], { project, cwd: "sub" });
  expect(near.exit).toBe(0);
  expect(near.file()).toBe(FILE);
  expect(near.file("sub/fenzi.yaml")).toBe("version: 1\nmcp: {}\n");
  const far = await run(["mcp", "remove", "b"], {
    root: near.root,
    cwd: "sub",
  });
  expect(far.exit).toBe(0);
  expect(far.out).toContain("project/fenzi.yaml");
  expect(far.file()).not.toContain("command: [y]");
});

test("says where it is when only the machine file has it", async () => {
  const ran = await run(["mcp", "remove", "corp"], { machine: MACHINE });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("`~/.config/fenzi/mcp.yaml`");
  expect(ran.err).toContain("`--machine` takes it out of there");
  expect(ran.machine()).toBe(MACHINE);
  const machine = await run(["mcp", "remove", "corp", "--machine"], {
    root: ran.root,
  });
  expect(machine.exit).toBe(0);
  expect(machine.machine()).toBe("version: 1\nmcp: {}\n");
});

test("does not leave an entry behind that narrows nothing", async () => {
  const project = {
    "fenzi.yaml": "version: 1\nmcp:\n  corp:\n    enabled: false\n",
  };
  const ran = await run(["mcp", "remove", "corp", "--machine"], {
    machine: MACHINE,
    project,
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[merge/nothing-to-narrow]");
  expect(ran.machine()).toBe(MACHINE);
});

test("names the nearest one when there is none of that name", async () => {
  const ran = await run(["mcp", "remove", "aa"], {
    project: { "fenzi.yaml": FILE.replace("  a:", "  aaa:") },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("there is no server `aa`; did you mean `aaa`?");
});

test("an entry with errors can be taken out", async () => {
  const ran = await run(["mcp", "remove", "bad"], {
    project: { "fenzi.yaml": `${FILE}  bad:\n    comand: [z]\n` },
  });
  expect(ran.exit).toBe(0);
  expect(ran.file()).toBe(FILE);
});

test("a file that does not parse is an error", async () => {
  const ran = await run(["mcp", "remove", "a"], {
    project: { "fenzi.yaml": "mcp: [" },
  });
  expect(ran.exit).toBe(1);
  expect(ran.err).toContain("[source/not-yaml]");
});

test("--dry-run shows the difference and writes nothing", async () => {
  const ran = await run(["mcp", "remove", "b", "--dry-run"], {
    project: { "fenzi.yaml": FILE },
  });
  expect(ran.exit).toBe(0);
  expect(ran.out).toContain("-    command: [y]\n");
  expect(ran.file()).toBe(FILE);
});
