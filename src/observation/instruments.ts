import type { Histogram, Meter } from '@opentelemetry/api'

/** The metrics. https://opentelemetry.io/docs/specs/semconv/http/http-metrics/, and .../database/database-metrics/ */
export interface Instruments {
  readonly requestDuration: Histogram
  readonly requestStatements: Histogram
  readonly statementDuration: Histogram
}

export function createInstruments(meter: Meter): Instruments {
  return {
    requestDuration: meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
    }),
    requestStatements: meter.createHistogram('stemma.request.statements', {
      description: 'Statements that one request ran.',
      unit: '{statement}',
      advice: { explicitBucketBoundaries: [0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100] },
    }),
    statementDuration: meter.createHistogram('db.client.operation.duration', {
      description: 'Duration of database client operations.',
      unit: 's',
      advice: { explicitBucketBoundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] },
    }),
  }
}
