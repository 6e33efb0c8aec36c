/** An adapter by name, with its configuration (never a secret). */
export interface PluginUse {
  readonly plugin: string;
  readonly config: Readonly<Record<string, unknown>>;
}
