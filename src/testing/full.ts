/**
 * Does this run use the full counts of kills and random cases (`npm run test:full`), or a sample of them (`npm test`)?
 */
export const isFull = process.env["AO_TEST_FULL"] === "1";
