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

// Uses the model and queries of exams/oracle on the database of this run.

export const CONFIGURATION: Configuration = {
  database: DATABASE,
  layout: byLayout({ single: 'single', joined: 'joined', tablePerConcreteClass: 'concrete' }),
}

export function createModelClasses(types: Types = TYPES) {
  return createClasses(types, CONFIGURATION)
}

/** Starts an API with these rows, without a cost limit. */
export async function startModelApi(
  rows: readonly Row[],
  classes = createModelClasses(),
  options: ApiOptions = {},
): Promise<TestApi> {
  const api = await startApi([...classes.values()], { limits: { cost: null }, ...options })
  await insertRows({ dataSource: api.dataSource, types: TYPES, ...CONFIGURATION }, rows)
  return api
}

export function queries(rows: readonly ResourceIdentifier[], types: Types = TYPES): fc.Arbitrary<Query> {
  const seeds = fc.noShrink(fc.noBias(fc.nat()))
  return seeds.map((seed) => new Generator(createRandom(seed), types, rows).query())
}
