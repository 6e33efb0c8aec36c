import { defineConfig } from "vitest/config";

const full = process.env["AO_TEST_FULL"] === "1";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: full ? 3_600_000 : 60_000,
    hookTimeout: 120_000,
    reporters: ["default"],
  },
});
