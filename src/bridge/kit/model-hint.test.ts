import { expect, it } from "vitest";
import { withModelHint } from "./model-hint.ts";

const HINT = " Name another in `agentConfig.model`.";

it.each([
  "There's an issue with the selected model (gpt-4.1). It may not exist or you may not have access to it.",
  "The model `gpt-4.1` does not exist or you do not have access to it.",
  "Error: Model 'gpt-4.1' not found on provider at http://127.0.0.1/v1 (HTTP 404).",
  "models/gemini-9.9-pro is not found for API version v1beta",
  "The 'gpt-4.1' model is not supported when using Codex with a ChatGPT account.",
  "404 model_not_found",
  "invalid model",
])("adds the config key if the model is rejected: %s", (words) => {
  expect(withModelHint(words)).toBe(`${words.replace(/\.$/, "")}.${HINT}`);
});

it.each([
  "The model is overloaded, try again later.",
  "The conversation is too long for this model.",
  "404 The file was not found.",
  "500 the model's answer could not be read",
])("adds nothing to other failures: %s", (words) => {
  expect(withModelHint(words)).toBe(words);
});
