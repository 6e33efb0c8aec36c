// Run by npm after `npm ci`, and before `npm install -g .` links the clone: without it a fresh clone has no `ao` to link.
import { build, ensurePackages, isBuilt } from "./lib.mjs";

// `npm install -g .` installs no packages into the clone, whatever is omitted.
const isGlobal = process.env.npm_config_global === "true";
const omitsDev = /\bdev\b/.test(process.env.npm_config_omit ?? "") || process.env.NODE_ENV === "production";

if (omitsDev && !isGlobal) {
  console.log("note: ao is not built, since development packages are omitted; `npm run build` builds it");
} else {
  ensurePackages();
  if (!isBuilt()) build();
}
