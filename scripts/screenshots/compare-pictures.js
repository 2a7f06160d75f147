const { existsSync, readFileSync } = require('node:fs')

/** Fails if there is no picture of before. */
exports.assertExist = (files) => {
  const missing = files.filter((file) => !existsSync(file))
  if (missing.length === 0) return
  throw new Error(
    `There are no pictures to compare with: ${missing.join(', ')}. Take them before the change: npm run screenshots -- --all FOLDER`,
  )
}

/** Returns the share of pixels that differ visibly, from 0 to 1; 1 for pictures of other sizes. `page`: an empty page of a browser. */
exports.shareOfDifferentPixels = (page, ...files) => {
  const pictures = files.map((file) => readFileSync(file, 'base64'))
  return page.evaluate(compare, pictures)
}

/** Runs in the browser, which decodes the pictures. */
async function compare(pictures) {
  // Of 255.
  const invisible = 16
  const pixelsOf = async (picture) => {
    const image = new Image()
    image.src = `data:image/png;base64,${picture}`
    await image.decode()
    const { width, height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, width, height)
  }
  const [before, now] = await Promise.all(pictures.map(pixelsOf))
  if (before.width !== now.width || before.height !== now.height) return 1
  let different = 0
  for (let at = 0; at < now.data.length; at += 4) {
    // Pictures of pages have no transparent pixels, so the fourth value is always the same.
    if ([0, 1, 2].some((color) => Math.abs(before.data[at + color] - now.data[at + color]) > invisible)) different += 1
  }
  return different / (now.width * now.height)
}
