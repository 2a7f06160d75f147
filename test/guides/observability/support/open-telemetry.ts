import { context, type HrTime, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'

export const spans = new InMemorySpanExporter()
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 })

/** Collects spans and metrics of all tests in a file. */
export function useOpenTelemetry(processor: SpanProcessor = new SimpleSpanProcessor(spans)): void {
  beforeAll(() => {
    disableOpenTelemetry()
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }))
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  })
  afterAll(async () => {
    await reader.shutdown()
    disableOpenTelemetry()
  })
}

/** The SDK is global to the process, and another test may have registered its own. */
function disableOpenTelemetry(): void {
  for (const api of [context, trace, metrics]) api.disable()
}

/** The only span without a parent. */
export function requestSpan(): ReadableSpan {
  const roots = spans.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext === undefined)
  expect(roots).toHaveLength(1)
  return roots[0] as ReadableSpan
}

export function statementSpans(): readonly ReadableSpan[] {
  return spans.getFinishedSpans().filter(({ attributes }) => 'db.query.text' in attributes)
}

export function childrenOf(parent: ReadableSpan): readonly ReadableSpan[] {
  const { spanId } = parent.spanContext()
  const children = spans.getFinishedSpans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === spanId)
  return children.toSorted((one, other) => nanoseconds(one.startTime) - nanoseconds(other.startTime))
}

export function treeOf(span: ReadableSpan): readonly string[] {
  const below = childrenOf(span).flatMap(treeOf)
  return [span.name, ...below.map((line) => `  ${line}`)]
}

function nanoseconds([seconds, rest]: HrTime): number {
  return (seconds % 1_000_000) * 1e9 + rest
}

export function allSpans(): string {
  return JSON.stringify(spans.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events })))
}

interface Measured {
  readonly name: string
  readonly unit: string
  readonly points: readonly { readonly attributes: object; readonly value: Histogram }[]
}

/** The metrics since the last call. */
export async function collectMetrics(): Promise<readonly Measured[]> {
  measured.reset()
  await reader.forceFlush()
  const scopes = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  const own = scopes.filter(({ scope }) => scope.name === 'stemma').flatMap((each) => each.metrics)
  return own.map(({ descriptor: { name, unit }, dataPoints }) => ({ name, unit, points: dataPoints as never }))
}

export function pointsOf(found: readonly Measured[], metric: string) {
  return found
    .filter(({ name }) => name === metric)
    .flatMap(({ points }) => points.map(({ attributes, value }) => [attributes, value.count]))
}

export function sumOf(found: readonly Measured[], metric: string): number {
  return found
    .filter(({ name }) => name === metric)
    .flatMap(({ points }) => points)
    .reduce((total, { value }) => total + (value.sum ?? 0), 0)
}
