import { createHostFs } from "../../platform/fs.ts";
import { describeFsContract } from "../contracts/fs.contract.ts";
import { tempDir } from "../temp.ts";
import { createMemoryFs } from "./memory-fs.ts";

describeFsContract({ name: "a Node host", create: async () => ({ fs: createHostFs(), dir: tempDir() }) });
describeFsContract({
  name: "the test bed",
  create: async () => {
    const fs = createMemoryFs();
    await fs.makeDir("/work/folder");
    return { fs, dir: "/work/folder" };
  },
});
