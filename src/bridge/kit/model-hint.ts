const REFUSED = [
  /\b(unknown|invalid|unsupported|no such|selected) model\b/i,
  /\bmodel_not_found\b/i,
  /\bmodels?\b[^\n]{0,80}?\b(not found|(does|may) not exist|is not (supported|available))\b/i,
];

/** The words of a failure; where a model is refused, with the key that names it. Which models there are only the service knows. */
export function withModelHint(words: string): string {
  if (!REFUSED.some((pattern) => pattern.test(words))) return words;
  return `${/[.!?]$/.test(words) ? words : `${words}.`} Name another in \`agentConfig.model\`.`;
}
