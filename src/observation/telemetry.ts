import type * as OpenTelemetry from '@opentelemetry/api'
import type { Context, Histogram, Meter, Span } from '@opentelemetry/api'
import { JsonApiError } from '../errors/json-api-error'
import type {
  ObservedEndpoint,
  ObservedRequestEnd,
  ObservedRequestStart,
  ObservedStatement,
  RequestObserver,
  RequestPhase,
} from './request-observer'
import {
  classNameOfError,
  parseSqlOperationAndTable,
  type StatementOperationAndTable,
  toKnownMethodOrOther,
} from './statement-operation-and-table'

/** The telemetry that all requests of an API share. */
interface TelemetryContext {
  readonly telemetry: typeof OpenTelemetry
  /** The database system, as OpenTelemetry's conventions name it. */
  readonly system: string
  readonly instruments: () => Instruments
}

/** Returns a function that starts the telemetry of a request. Providers that the application registers later are used too. */
export function createTelemetryObserverFactory(
  telemetry: typeof OpenTelemetry,
  system: string,
): (head: ObservedRequestStart) => RequestObserver {
  let createdInstruments: Instruments | undefined
  const instruments = () => {
    createdInstruments ??= createInstruments(telemetry.metrics.getMeter(SCOPE))
    return createdInstruments
  }
  return (head) => new RequestTelemetry({ telemetry, system, instruments }, head)
}

const SCOPE = 'stemma'

/** A span, and the context in which new spans become its children. */
interface OpenSpan {
  readonly span: Span
  readonly context: Context
}

/**
 * The spans of one request: the request, its operations and phases, and their statements. The parent is the span that is active when the
 * request comes in, such as the server span of an HTTP instrumentation.
 */
class RequestTelemetry implements RequestObserver {
  private readonly telemetryContext: TelemetryContext
  private readonly method: string
  private readonly request: OpenSpan
  /** Converts from `performance.now()` to Unix time. Fixed per request, so that its spans fit together. */
  private readonly offset = Date.now() - performance.now()
  private endpoint: ObservedEndpoint | undefined
  private operation: OpenSpan | undefined
  private phase: (OpenSpan & { readonly name: RequestPhase }) | undefined
  private failure: unknown

  constructor(telemetryContext: TelemetryContext, { method }: ObservedRequestStart) {
    this.telemetryContext = telemetryContext
    this.method = toKnownMethodOrOther(method)
    const attributes = { 'http.request.method': this.method }
    const startTime = this.timeOf(performance.now())
    this.request = this.open(this.method, telemetryContext.telemetry.context.active(), { attributes, startTime })
  }

  within<Value>(work: () => Value): Value {
    return this.telemetryContext.telemetry.context.with((this.operation ?? this.request).context, work)
  }

  matched(endpoint: ObservedEndpoint): void {
    this.endpoint = endpoint
    const { span } = this.request
    span.updateName(`${this.method} ${endpoint.route}`)
    span.setAttributes({ 'http.route': endpoint.route, 'stemma.endpoint': endpoint.endpoint, ...typeOf(endpoint) })
  }

  entered(phase: RequestPhase, at: number): void {
    this.phase?.span.end(this.timeOf(at))
    const { context } = this.operation ?? this.request
    this.phase = { name: phase, ...this.open(phase, context, { startTime: this.timeOf(at) }) }
  }

  ran({ text, from, to, error }: ObservedStatement): void {
    const names = parseSqlOperationAndTable(text)
    const common = {
      'db.system.name': this.telemetryContext.system,
      'db.operation.name': names.operation,
      ...typeOfError(error),
    }
    this.telemetryContext.instruments().statementDuration.record((to - from) / 1000, common, this.request.context)
    const { span } = this.open(names.summary, (this.phase ?? this.request).context, {
      kind: this.telemetryContext.telemetry.SpanKind.CLIENT,
      startTime: this.timeOf(from),
      attributes: { ...common, ...collectionOf(names), 'db.query.summary': names.summary, 'db.query.text': text },
    })
    if (error !== undefined) this.mark(span)
    span.end(this.timeOf(to))
  }

  operationBegan(name: string, at: number): void {
    this.operation = this.open(name, this.request.context, { startTime: this.timeOf(at) })
    this.resume(at)
  }

  operationEnded(at: number, error?: unknown): void {
    const ended = this.operation
    this.operation = undefined
    this.resume(at)
    if (error !== undefined && !(error instanceof JsonApiError)) this.mark(ended?.span)
    ended?.span.end(this.timeOf(at))
  }

  failed(error: unknown): void {
    this.failure = error
    this.request.span.recordException(error instanceof Error ? error : String(error))
  }

  ended({ status, startedAt, at, statements }: ObservedRequestEnd): void {
    const { span, context } = this.request
    const { requestDuration, requestStatements } = this.telemetryContext.instruments()
    const error =
      status < 500 ? {} : { 'error.type': this.failure === undefined ? `${status}` : classNameOfError(this.failure) }
    const responseAttributes = { 'http.response.status_code': status, ...error }
    const requestAttributes = { 'http.request.method': this.method, ...routeOf(this.endpoint) }
    requestDuration.record((at - startedAt) / 1000, { ...requestAttributes, ...responseAttributes }, context)
    requestStatements.record(statements, requestAttributes, context)
    this.phase?.span.end(this.timeOf(at))
    this.operation?.span.end(this.timeOf(at))
    span.setAttributes({ ...responseAttributes, 'stemma.statements': statements })
    if (status >= 500) this.mark(span)
    span.end(this.timeOf(at))
  }

  /** Resumes a phase inside another span. */
  private resume(at: number): void {
    if (this.phase !== undefined) this.entered(this.phase.name, at)
  }

  /** Milliseconds since 1970. */
  private timeOf(at: number): number {
    return this.offset + at
  }

  private mark(span: Span | undefined): void {
    span?.setStatus({ code: this.telemetryContext.telemetry.SpanStatusCode.ERROR })
  }

  private open(name: string, parent: Context, options: OpenTelemetry.SpanOptions): OpenSpan {
    const { trace } = this.telemetryContext.telemetry
    const span = trace.getTracer(SCOPE).startSpan(name, options, parent)
    return { span, context: trace.setSpan(parent, span) }
  }
}

function routeOf(endpoint: ObservedEndpoint | undefined): OpenTelemetry.Attributes {
  return endpoint === undefined ? {} : { 'http.route': endpoint.route, ...typeOf(endpoint) }
}

function typeOf({ type }: ObservedEndpoint): OpenTelemetry.Attributes {
  return type === undefined ? {} : { 'stemma.resource_type': type }
}

function collectionOf({ collection }: StatementOperationAndTable): OpenTelemetry.Attributes {
  return collection === undefined ? {} : { 'db.collection.name': collection }
}

function typeOfError(error: unknown): OpenTelemetry.Attributes {
  return error === undefined ? {} : { 'error.type': classNameOfError(error) }
}

/** The metrics. https://opentelemetry.io/docs/specs/semconv/http/http-metrics/, and .../database/database-metrics/ */
interface Instruments {
  readonly requestDuration: Histogram
  readonly requestStatements: Histogram
  readonly statementDuration: Histogram
}

function createInstruments(meter: Meter): Instruments {
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
