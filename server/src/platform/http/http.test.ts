import { anyone, filtered, signedIn } from '@quayside/contract/http/policy'
import { describe, expect, it } from 'vitest'
import type { Auth } from '../auth/auth.ts'
import { Ticketed } from '../auth/party.ts'
import type { Rights } from '../auth/rights.ts'
import { createLogger } from '../logging/logger.ts'
import { fail } from './errors.ts'
import { createHttp } from './http.ts'

const auth: Pick<Auth, 'actorOf' | 'knows'> = {
  actorOf: () => Promise.reject(new Error('not asked for')),
  knows: () => false,
}
const make = () => createHttp(createLogger('silent'), auth, {} as Rights)

describe('the server', () => {
  it('does not start with a route that has no policy', () => {
    expect(() => make().get('/open', async () => 'x')).toThrow(/GET \/open has no policy/)
  })

  it('does not start with a route that asks for scopes and would not be asked', () => {
    const config = { policy: filtered('app.view') }
    expect(() => make().get('/apps', { config }, async () => 'x')).toThrow(/GET \/apps asks for scopes/)
  })

  it('says 401 without a token, 404 for what is not there, 400 for a query past its limits', async () => {
    const http = make()
    http.get('/closed', { config: { policy: signedIn } }, async () => 'x')
    http.get('/open', { config: { policy: anyone } }, async () => 'x')
    const statusOf = async (url: string) => (await http.inject(url)).statusCode
    expect([
      await statusOf('/closed'),
      await statusOf('/nowhere'),
      await statusOf('/open?a.b.c.d.e=1'),
      await statusOf('/open'),
    ]).toEqual([401, 404, 400, 200])
  })

  it('answers an address that cannot be read as it answers everything else', async () => {
    const http = make()
    http.get('/things/:id', { config: { policy: anyone } }, async () => 'x')
    const answer = await http.inject('/things/%ff')
    expect([answer.statusCode, answer.headers['x-request-id']]).toEqual([400, expect.any(String)])
    expect(answer.json()).toMatchObject({ code: 'request.invalid', field: 'path', requestId: expect.any(String) })
    expect(answer.body).not.toContain('things')
  })

  it('has nobody keep what was answered to somebody, a refusal included', async () => {
    const http = make()
    http.get('/closed', { config: { policy: signedIn } }, async () => 'x')
    http.get('/open', { config: { policy: anyone } }, async () => 'x')
    const keepingOf = async (url: string) => (await http.inject(url)).headers['cache-control']
    expect([await keepingOf('/closed'), await keepingOf('/open')]).toEqual(['no-store', undefined])
  })

  it('says which methods an address answers when another one is asked for', async () => {
    const http = make()
    http.get('/things/:id', { config: { policy: anyone } }, async () => 'x')
    http.delete('/things/:id', { config: { policy: anyone } }, async () => 'x')
    const answer = await http.inject({ method: 'PATCH', url: '/things/a?b=c' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('DELETE, GET, HEAD')
    expect(answer.json()).toMatchObject({ code: 'request.wrong-method', message: expect.stringContaining('not PATCH') })
    expect((await http.inject({ method: 'PATCH', url: '/things/' })).statusCode).toBe(404)
  })

  it.each(['application/json', 'application/json; charset=utf-8'])(
    'takes a call without a body that says it sends %s',
    async (type) => {
      const http = make()
      http.delete('/things/:id', { config: { policy: anyone } }, async (_, reply) => reply.status(204).send())
      http.put('/things/:id', { config: { policy: anyone } }, async ({ body }) => ({ body }))
      const headers = { 'content-type': type }
      const statusOf = async (more: object) =>
        (await http.inject({ method: 'DELETE', url: '/things/a', headers, ...more })).statusCode
      expect(await statusOf({})).toBe(204)
      expect(await statusOf({ headers: { ...headers, 'content-length': '0' } })).toBe(204)
      expect(await statusOf({ payload: '{"reason":"old"}' })).toBe(204)
      expect(await statusOf({ payload: '{' })).toBe(400)
      const put = await http.inject({ method: 'PUT', url: '/things/a', headers, payload: '{"a":1}' })
      expect(put.json()).toEqual({ body: { a: 1 } })
    },
  )

  it('answers a refusal with a ticket 401, in its body as well', async () => {
    const http = make()
    http.get('/refused', { config: { policy: anyone } }, async () => {
      throw new Ticketed(fail('auth.forbidden'), 't7')
    })
    const answer = await http.inject('/refused')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers).toMatchObject({ ticket: 't7', 'www-authenticate': 'UMA ticket="t7"' })
    expect(answer.json()).toMatchObject({ status: 401, code: 'auth.forbidden' })
  })

  it('says nothing of the inside when something breaks', async () => {
    const http = make()
    http.get('/broken', { config: { policy: anyone } }, async () => {
      throw new Error('the password is hunter2')
    })
    const answer = await http.inject('/broken')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('hunter2')
    expect(answer.json()).toMatchObject({ code: 'internal', requestId: expect.any(String) })
  })
})
