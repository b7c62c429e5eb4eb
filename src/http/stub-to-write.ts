/** The stub to write for a call, ready to paste into an environment of a scenario. */
export const stubToWrite = (method: string, path: string): string =>
  `To answer it, write into an environment of the scenario: stubs: [{ method: ${method}, path: ${JSON.stringify(path)}, status: 200, body: {} }]`;
