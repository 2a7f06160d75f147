/** Prints rows under their headings; numbers are aligned at the right. */
exports.printTable = (headings, rows) => {
  const texts = [headings, ...rows.map((row) => headings.map((_, column) => textOf(row[column])))]
  const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column].length)))
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  for (const row of texts) {
    const cells = row.map((text, column) =>
      isNumber[column] ? text.padStart(widths[column]) : text.padEnd(widths[column]),
    )
    console.log(cells.join('  ').trimEnd())
  }
}

function textOf(value) {
  return typeof value === 'number' ? String(Math.round(value)) : (value ?? '')
}
