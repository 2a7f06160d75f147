import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

it('npm run test:servers refuses a version that is not in servers/package.json', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(__dirname, '../../servers/run.js'), '18', '9'])
  expect(String(stderr)).toBe('Unknown version: 9. Expected 14, 15, 16, 17, 18.\n')
  expect(status).toBe(2)
})
