import request from 'supertest'
import { type RunningApi, startApi } from './start-api'

let api: RunningApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.stop())

it('serves routes of NestJS beside the API', async () => {
  const { body } = await request(api.server).get('/health').expect(200)
  expect(body).toEqual({ isReady: true })
})
