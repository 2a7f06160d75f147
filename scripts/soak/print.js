// Prints Markdown tables for docs/internals/trust.md.
const MEBIBYTE = 1024 * 1024

exports.printTable = (headings, rows) => {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(headings), line(headings.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  )
}

exports.timesRow = (title, histogram) => [
  title,
  histogram.count,
  ...[50, 90, 99, 99.9].map((percentile) => milliseconds(histogram.percentile(percentile))),
  milliseconds(histogram.max),
]
exports.TIME_HEADINGS = ['milliseconds', 'responses', 'p50', 'p90', 'p99', 'p99.9', 'max']

function milliseconds(microseconds) {
  return (microseconds / 1000).toFixed(1)
}

exports.megabytes = (bytes) => (bytes / MEBIBYTE).toFixed(1)

/** The slope in bytes per minute, by least squares. */
exports.slopeOf = (samples, measure) => {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanTime = mean(samples.map(({ at }) => at))
  const meanValue = mean(samples.map(measure))
  const covariance = samples.reduce((sum, sample) => sum + (sample.at - meanTime) * (measure(sample) - meanValue), 0)
  const variance = samples.reduce((sum, { at }) => sum + (at - meanTime) ** 2, 0)
  return variance === 0 ? 0 : (covariance / variance) * 60
}
