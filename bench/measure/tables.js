// Formats results as tables for a terminal.

exports.median = (values) => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Aligns the first column to the left, the others to the right. */
exports.toTable = (head, rows) => {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) => line.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))))
    .map((line) => line.join('  '))
    .join('\n')
}

exports.round = (value) => {
  if (!Number.isFinite(value)) return ''
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
