/**
 * Notifications of `codex app-server` 0.166.0 that we do not need, from `codex app-server generate-ts`. Anything
 * neither listed here nor parsed is new, and is reported as unknown.
 */
export const UNUSED_NOTICES: ReadonlySet<string> = words(`
  account/gatewayOAuth/changed account/login/completed account/updated app/list/updated
  autoApprovalReview/strictReviewRequired command/exec/outputDelta configWarning deprecationNotice
  externalAgentConfig/import/completed externalAgentConfig/import/progress fs/changed
  fuzzyFileSearch/sessionCompleted fuzzyFileSearch/sessionUpdated guardianWarning hook/completed hook/started
  item/agentMessage/delta item/autoApprovalReview/completed item/autoApprovalReview/started
  item/commandExecution/outputDelta item/commandExecution/terminalInteraction item/fileChange/outputDelta
  item/fileChange/patchUpdated item/mcpToolCall/progress item/plan/delta item/reasoning/summaryPartAdded
  item/reasoning/summaryTextDelta item/reasoning/textDelta mcpServer/event/stream/notification
  mcpServer/oauthLogin/completed mcpServer/startupStatus/updated model/rerouted model/safetyBuffering/updated
  model/verification modelProvider/authRecoveryCompleted modelProvider/authRecoveryStarted process/exited
  process/outputDelta project/changed rawResponse/completed rawResponseItem/completed remoteControl/status/changed
  skills/changed thread/archived thread/attachment/updated thread/closed thread/compacted thread/deleted
  thread/environment/connected thread/environment/disconnected thread/goal/cleared thread/goal/updated
  thread/name/updated thread/prediction/updated thread/project/updated thread/queue/changed
  thread/readState/changed thread/realtime/closed thread/realtime/error thread/realtime/item/completed
  thread/realtime/item/started thread/realtime/item/transcript/delta thread/realtime/itemAdded
  thread/realtime/outputAudio/delta thread/realtime/sdp thread/realtime/started thread/realtime/transcript/delta
  thread/realtime/transcript/done thread/reverted thread/settings/updated thread/started thread/status/changed
  thread/unarchived turn/diff/updated turn/moderationMetadata turn/plan/updated warning
  windows/worldWritableWarning windowsSandbox/setupCompleted
`);

/** Requests for other clients: the program's own interface, or a client that signs in or offers tools itself. */
export const UNUSED_REQUESTS: ReadonlySet<string> = words(`
  item/tool/call account/chatgptAuthTokens/refresh attestation/generate applyPatchApproval execCommandApproval
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
