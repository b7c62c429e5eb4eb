/**
 * JSON of YAML texts by the SHA-256 of the text. Empty here, where everything is read at first use; the build puts a
 * filled module in the place of this one (.ci/prebuild.mjs).
 */
export const PREBUILT_VALUES: Readonly<Record<string, string>> = {};
