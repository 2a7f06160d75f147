import fc from 'fast-check'
import { TYPES } from '../../../exams/oracle/model'
import type { Query } from '../../../exams/query/ast'
import { Generator, type ResourceIdentifier } from '../../../exams/query/generate'
import { type Configuration, createClasses, type Types } from '../../../exams/shared/model'
import { createRandom } from '../../../exams/shared/random'
import { insertRows, type Row } from '../../../exams/shared/rows'
import { type ApiOptions, startApi, type TestApi } from '../../support/api'
import { DATABASE } from '../../support/database'
import { byLayout } from '../../support/table-layout'

// The model, the queries and the evaluator of exams/oracle, on the database of this run.

export const SETTING: Configuration = {
  database: DATABASE,
  layout: byLayout({ single: 'single', joined: 'joined', tablePerConcreteClass: 'concrete' }),
}

/** New classes, by type. */
export function makeExamined(types: Types = TYPES) {
  return createClasses(types, SETTING)
}

/** An API over these rows, without a limit for what requests cost. */
export async function openExamined(
  rows: readonly Row[],
  classes = makeExamined(),
  options: ApiOptions = {},
): Promise<TestApi> {
  const api = await startApi([...classes.values()], { limits: { cost: null }, ...options })
  await insertRows({ dataSource: api.dataSource, types: TYPES, ...SETTING }, rows)
  return api
}

/** Queries of all kinds that can be sent. */
export function queries(rows: readonly ResourceIdentifier[], types: Types = TYPES): fc.Arbitrary<Query> {
  const seeds = fc.noShrink(fc.noBias(fc.nat()))
  return seeds.map((seed) => new Generator(createRandom(seed), types, rows).query())
}
