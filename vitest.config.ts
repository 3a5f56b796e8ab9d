import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/agents/**",
      "test/bench/**",
      "test/conformance/**",
      "test/mutants/**",
      "test/real-servers/**",
      "node_modules/**",
    ],
    testTimeout: 240_000,
    // Many tests wait, for a process or an end of time: without this a machine with two cores would run one file at a time.
    maxWorkers: "100%",
    // Logs are shown in the time of the place.
    env: { TZ: "UTC" },
  },
});
