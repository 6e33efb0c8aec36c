const REFUSED = [
  /\b(unknown|invalid|unsupported|no such|selected) model\b/i,
  /\bmodel_not_found\b/i,
  /\b404\b[^\n]{0,20}\bmodel:/i,
  /\bmodels?\b[^\n]{0,80}?\b(not found|(does|may) not exist|is not (supported|available))\b/i,
];

/**
 * The message of a failure; if the model was rejected, with the config key to change. Only the service knows which
 * models exist.
 */
export function withModelHint(words: string): string {
  if (!REFUSED.some((pattern) => pattern.test(words))) return words;
  return `${/[.!?]$/.test(words) ? words : `${words}.`} Name another in \`agentConfig.model\`.`;
}
