// Prints Markdown tables for docs/internals/trust.md.
const MEGA = 1024 * 1024

exports.printTable = (heads, rows) => {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

exports.printTimes = (title, histogram) => [
  title,
  histogram.count,
  ...[50, 90, 99, 99.9].map((percentile) => milliseconds(histogram.percentile(percentile))),
  milliseconds(histogram.max),
]
exports.TIME_HEADS = ['milliseconds', 'answers', 'p50', 'p90', 'p99', 'p99.9', 'max']

function milliseconds(microseconds) {
  return (microseconds / 1000).toFixed(1)
}

exports.megabytes = (bytes) => (bytes / MEGA).toFixed(1)

/** The slope in bytes per minute, by least squares. */
exports.slopeOf = (samples, of) => {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = mean(samples.map(({ at }) => at))
  const level = mean(samples.map(of))
  const above = samples.reduce((sum, sample) => sum + (sample.at - middle) * (of(sample) - level), 0)
  const spread = samples.reduce((sum, { at }) => sum + (at - middle) ** 2, 0)
  return spread === 0 ? 0 : (above / spread) * 60
}
