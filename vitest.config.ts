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
    // Logs are shown in the time of the place.
    env: { TZ: "UTC" },
  },
});
