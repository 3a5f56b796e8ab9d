// The least that any compiler of this kind must do, in at most 60 lines: read the YAML, check its shape, write as many
// files as `fenzi compile` does, each through a temporary file, fsync and rename. `floor.mjs FENZI_YAML FOLDER FILES`.
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const names = z.array(z.string());
const shape = z.strictObject({
  version: z.literal(1),
  mcp: z.record(
    z.string(),
    z.strictObject({
      url: z.string().optional(),
      command: names.optional(),
      env: z.record(z.string(), z.string()).optional(),
      headers: z.record(z.string(), z.string()).optional(),
      token: z.boolean().optional(),
      tools: z
        .union([
          z.literal("all"),
          z.strictObject({
            allow: z.union([z.literal("all"), names]).optional(),
            ask: names.optional(),
            deny: names.optional(),
          }),
        ])
        .optional(),
    }),
  ),
});

const [source, folder, files] = process.argv.slice(2);
const { mcp } = shape.parse(parse(readFileSync(source, "utf8")));
const text = `${JSON.stringify({ mcpServers: mcp }, null, 2)}\n`;
for (let index = 0; index < Number(files); index++) {
  const home = join(folder, `agent-${index % 4}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, `servers-${index}.json`);
  const file = openSync(`${path}.tmp`, "wx", 0o600);
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.tmp`, path);
}
console.log(`${files} files written below ${folder}`);
