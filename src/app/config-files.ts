import type { Origin } from "../config/acceptance.ts";
import type { Config } from "../config/config.ts";
import type { MissingVariable } from "../config/expand.ts";
import { interpretConfig, type LoadOptions, readConfigText } from "../config/load.ts";
import { configNotes } from "../config/notes.ts";
import type { UndecidedRule } from "../config/parse.ts";
import type { WrittenConfig } from "../config/schema.ts";
import { AoError } from "../core/errors.ts";
import type { Host } from "../ports/host.ts";
import type { ConfigProblem } from "../server/actions.ts";
import { type ConfigAcceptance, createConfigAcceptance } from "./config-acceptance.ts";
import { checkSettings } from "./plugin-settings.ts";

/** What is in force of a file, which need not be what the file says now. */
export interface ConfigFile {
  readonly mtimeMs: number;
  readonly config: Config | null;
  readonly written: WrittenConfig | null;
  readonly missing: readonly MissingVariable[];
  readonly notes: readonly string[];
  /** Rules of the content in force that are off. */
  readonly undecided: readonly UndecidedRule[];
  readonly problem: ConfigProblem | null;
  /** The text that waits until a person accepts it. */
  readonly held: string | null;
}

type InForce = Pick<ConfigFile, "config" | "written" | "missing" | "undecided">;

export interface ConfigFiles {
  load(file: string): Promise<ConfigFile>;
  /** Was a file read while git was changing the checkout? It has to be read again. */
  isUnsettled(): boolean;
  /** Lets a text of a file take effect, whoever it came from. */
  accept(file: string, text: string): Promise<void>;
  /** The text of a file that was accepted last. */
  acceptedText(file: string): Promise<string | undefined>;
  /** Accepts these files as they are, if no file was ever judged. */
  adopt(files: readonly string[]): Promise<void>;
}

/** A lock that git holds for longer was left behind. */
const LOCK_MS = 30_000;
/** No file was changed then, so it is read again. */
const UNSETTLED = -1;
const NOTHING: InForce = { config: null, written: null, missing: [], undecided: [] };

/**
 * Reads configuration files again when they change. If a text is invalid, or a commit brought it and nobody has accepted
 * it, the text before stays in force.
 */
export function createConfigFiles(host: Host, home: string, options: LoadOptions): ConfigFiles {
  const cache = new Map<string, ConfigFile>();
  const acceptance = createConfigAcceptance(host, home);
  const read = createReader(host, acceptance, options);
  return {
    load: async (file) => {
      // People edit the target of a link.
      const target = (await host.fs.realPath(file)) ?? file;
      const mtimeMs = (await host.fs.stat(target))?.mtimeMs ?? 0;
      const known = cache.get(file);
      if (known !== undefined && known.mtimeMs === mtimeMs) return known;
      const { isSettled = true, ...fresh } = await read(file, known?.config ?? null);
      const loaded = { ...fresh, mtimeMs: isSettled ? mtimeMs : UNSETTLED };
      cache.set(file, loaded);
      return loaded;
    },
    isUnsettled: () => [...cache.values()].some(({ mtimeMs }) => mtimeMs === UNSETTLED),
    accept: async (file, text) => {
      await acceptance.accept(file, text);
      cache.delete(file);
    },
    acceptedText: acceptance.read,
    adopt: acceptance.adopt,
  };
}

/** `isSettled` false: git is changing the checkout, so look again. */
type Read = Omit<ConfigFile, "mtimeMs"> & { readonly isSettled?: boolean };

function createReader(
  host: Host,
  acceptance: ConfigAcceptance,
  options: LoadOptions,
): (file: string, lastGood: Config | null) => Promise<Read> {
  const lockedSince = new Map<string, number>();

  const readAccepted = async (file: string): Promise<InForce> => {
    const text = await acceptance.read(file);
    if (text === undefined) return NOTHING;
    try {
      const { config, written, missing, undecided } = interpretConfig(text, file, options);
      return { config, written, missing, undecided };
    } catch (error) {
      // It was valid for another version of `ao`.
      host.log.warn("an accepted configuration is not valid any more", { file, reason: String(error) });
      return NOTHING;
    }
  };

  const isLocked = (file: string, origin: Origin): boolean => {
    if (origin !== "changing") lockedSince.delete(file);
    else if (!lockedSince.has(file)) lockedSince.set(file, host.clock.now());
    const since = lockedSince.get(file);
    return since !== undefined && host.clock.now() - since < LOCK_MS;
  };

  const readFile = async (file: string): Promise<Read> => {
    const text = await readConfigText(file);
    const origin = await acceptance.judge(file, text);
    const isSettled = !isLocked(file, origin);
    if (origin === "brought" || origin === "changing") {
      const inForce = await readAccepted(file);
      if (!isSettled) return { ...inForce, isSettled, notes: [], problem: null, held: null };
      host.log.warn("a configuration waits until a person accepts it", { file });
      const problem: ConfigProblem = { kind: "held", text: describeHeld(file, inForce.config !== null) };
      return { ...inForce, notes: [problem.text], problem, held: text };
    }
    const { config, written, missing, undecided } = interpretConfig(text, file, options);
    if (origin === "own") await acceptance.accept(file, text);
    const notes = configNotes({ written, undecided }, checkSettings);
    return { config, written, missing, undecided, notes, problem: null, held: null };
  };

  return async (file, lastGood) => {
    try {
      return await readFile(file);
    } catch (error) {
      if (!(error instanceof AoError)) throw error;
      host.log.warn("a configuration is not in force", { file, reason: error.message });
      const problem: ConfigProblem = { kind: "invalid", text: error.message };
      const config = lastGood ?? (await readAccepted(file)).config;
      return { ...NOTHING, config, notes: [error.message], problem, held: null };
    }
  };
}

function describeHeld(file: string, isInForce: boolean): string {
  return isInForce
    ? `${file} was changed by a merge, pull or checkout; ao keeps the version you accepted.`
    : `${file} came with the repository; ao does not use it until you accept it.`;
}
