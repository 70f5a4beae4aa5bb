import { once } from 'node:events'
import { request } from 'node:http'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'

let world: World
let origin: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  origin = new URL((await world.api('/readyz')).url).origin
})
afterAll(() => world?.close())

async function disable(token: string): Promise<void> {
  const directory = await world.directory()
  const path = `/users/${decodeJwt(token).user_id}`
  await directory.put(path, { ...(await directory.get<object>(path)), enabled: false })
  await expect.poll(async () => (await world.api('/iam/v2/account', { token })).status, { timeout: 10_000 }).toBe(401)
}

/** Sends half of a body, disables whoever sends it, and sends the rest. */
async function finishAfterwards(path: string, type: string, [first, rest]: readonly [string, string]): Promise<number> {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const length = Buffer.byteLength(first + rest)
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': length }
  const call = request(origin + path, { method: 'POST', headers })
  const answered = once(call, 'response')
  call.write(first)
  await disable(token)
  call.end(rest)
  const [answer] = await answered
  answer.resume()
  return answer.statusCode
}

const upload = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.tgz"\r\n\r\n'

it.each([
  ['a command', '/portal-api/v3/spaces', 'application/json', ['{"displayName":', '"Late","members":[]}']],
  [
    'a package',
    '/catalog/v1/upload/uploadasync',
    'multipart/form-data; boundary=b',
    [upload, 'no package\r\n--b--\r\n'],
  ],
] as const)('a person who is disabled while %s arrives is refused', async (_, path, type, parts) => {
  expect(await finishAfterwards(path, type, parts)).toBe(401)
  const admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const spaces = await (await world.api('/portal-api/v3/spaces', { token: admin })).text()
  expect(spaces).not.toContain('Late')
})
