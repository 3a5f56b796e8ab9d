// The types of `bundle-options.mjs`, for tests that build the program.
import type { BuildOptions } from "esbuild";

export declare const bundleOptions: BuildOptions;
