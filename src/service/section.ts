/** The types of this service's sections: the engine's, with the state, the tables and the settings of the service. */
import type { Table } from '../engine/core/table.ts';
import type { EngineEnv } from '../engine/operation.ts';
import type { OpenState } from '../engine/scenario/loading.ts';
import { contractOf } from '../engine/scenario/member-schemas.ts';
import type { Section as EngineSection } from '../engine/scenario/section.ts';
import type { RowView } from '../engine/scenario/view.ts';
import type { Schemas } from './contract.ts';
import type { SettingValues } from './settings.ts';
import type { State, Tables } from './state.ts';

export type OpenNouns = OpenState<State, SettingValues>;

type RowOf<Name extends keyof Tables> = Tables[Name] extends Table<infer Row, never> ? Row : never;

export type NounSection<Name extends keyof Tables, OfForm> = EngineSection<
  RowOf<Name>,
  OfForm,
  State,
  SettingValues
> & {
  readonly name: Name;
};

export type NounView<Row> = RowView<Row, State, EngineEnv<SettingValues>>;

/** Refers to a schema of the contract, or to the schema of one of its members. */
export const contract = contractOf<Schemas>();
