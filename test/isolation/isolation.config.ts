import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/isolation/*.trial.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They share one store of images and the machine's processes.
    fileParallelism: false,
  },
});
