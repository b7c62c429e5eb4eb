/** The rules of behaviour.md, in its order: what tests, cases and mutants name. */
export const RULES = [
  ...(['T1', 'T2', 'T3', 'T4', 'T5', 'T6', 'T7', 'T8', 'T9', 'T10', 'T11'] as const),
  ...(['R1', 'R2', 'R3'] as const),
  ...(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7'] as const),
  ...(['I1', 'I2', 'I3', 'I4', 'I5', 'I6'] as const),
  ...(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10'] as const),
  ...(['V1', 'V2', 'V3', 'V4', 'V5', 'V6'] as const),
  ...(['C1', 'P1', 'P2', 'P3'] as const),
  ...(['M1', 'M2', 'M3', 'M4', 'M5', 'M6', 'M7', 'M8'] as const),
  ...(['L1', 'X1', 'X2', 'X3', 'X4'] as const),
];

export type Rule = (typeof RULES)[number];
