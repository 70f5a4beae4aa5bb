import { beforeEach, expect, it, vi } from 'vitest'
import { createApi, type TokenSource } from './api.ts'
import { ApiError } from './api-error.ts'

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

let calls: { url: string; init: RequestInit }[]
let answers: (Response | Error)[]
let token: string | undefined
let lost: string[]
let refreshes: boolean[]

const headersOf = (index: number) => (calls[index]?.init.headers ?? {}) as Record<string, string>
const tokens: TokenSource = {
  current: () => token,
  refresh: async () => {
    const worked = refreshes.shift() ?? false
    if (worked) token = 'fresh'
    return worked
  },
  exchangeTicket: async (ticket) => {
    if (ticket === 'denied') throw new ApiError(403, 'access_denied')
    return `party-${ticket}`
  },
  lost: (reason) => lost.push(reason),
}

beforeEach(() => {
  ;[calls, answers, token, lost, refreshes] = [[], [], 'old', [], []]
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({ url, init })
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer ?? json({ n: calls.length })
  })
})

it('sends the token and writes the query in the dialect', async () => {
  await createApi(tokens).send('GET', '/catalog/v2/items', {
    query: { search: 'red is', page: { skip: 0 }, sort: null },
  })
  expect(calls[0]?.url).toBe('/catalog/v2/items?search=red%20is;page.skip=0')
  expect(headersOf(0).authorization).toBe('Bearer old')
})

it('shares identical reads while they run and for 200 ms after, per token', async () => {
  vi.useFakeTimers()
  const api = createApi(tokens)
  await Promise.all([api.send('GET', '/a'), api.send('GET', '/a'), api.send('GET', '/b')])
  expect(calls).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(199)
  await api.send('GET', '/a')
  expect(calls).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  await api.send('GET', '/a')
  expect(calls).toHaveLength(3)
  token = 'another'
  await api.send('GET', '/a')
  expect(calls).toHaveLength(4)
})

it('shares nothing from before a change', async () => {
  const api = createApi(tokens)
  await api.send('GET', '/a')
  await api.send('PATCH', '/a/featured/true')
  await expect(api.send('GET', '/a')).resolves.toEqual({ n: 3 })
  api.forget()
  await expect(api.send('GET', '/a')).resolves.toEqual({ n: 4 })
})

it('does not keep a failed read', async () => {
  answers = [json({ message: 'no' }, 503)]
  const api = createApi(tokens)
  await expect(api.send('GET', '/a')).rejects.toMatchObject({ status: 503 })
  await expect(api.send('GET', '/a')).resolves.toEqual({ n: 2 })
})

it('lets one caller give up without ending the call for the others', async () => {
  const api = createApi(tokens)
  const stop = new AbortController()
  const mine = api.send('GET', '/a', { signal: stop.signal })
  const yours = api.send('GET', '/a')
  stop.abort()
  await expect(mine).rejects.toMatchObject({ name: 'AbortError' })
  await expect(yours).resolves.toEqual({ n: 1 })
})

it('keeps field, code and request id of a refusal', async () => {
  answers = [
    json({ status: 409, code: 'space.name-taken', message: 'taken', field: 'displayName', requestId: 'r1' }, 409),
  ]
  await expect(createApi(tokens).send('POST', '/spaces', { body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'space.name-taken',
    message: 'taken',
    field: 'displayName',
    requestId: 'r1',
  })
})

it('treats a body with innerException as an error, whatever its status', async () => {
  answers = [json({ message: 'inside', innerException: { response: 'x' } })]
  await expect(createApi(tokens).send('GET', '/a')).rejects.toThrow('inside')
})

it('says status 0 when nobody answers', async () => {
  answers = [new TypeError('Failed to fetch')]
  await expect(createApi(tokens).send('GET', '/a')).rejects.toMatchObject({ status: 0 })
})

it('sends a read again that a busy portal refused, after the time that it names, and no write', async () => {
  vi.useFakeTimers()
  const busy = () => json({ code: 'portal.busy', message: 'busy' }, 429, { 'retry-after': '2' })
  const api = createApi(tokens)
  answers = [busy(), json({ ok: true })]
  const read = api.send('GET', '/a')
  await vi.advanceTimersByTimeAsync(1900)
  expect(calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(700)
  await expect(read).resolves.toEqual({ ok: true })
  answers = [busy()]
  await expect(api.send('POST', '/a', { body: {} })).rejects.toMatchObject({ status: 429, code: 'portal.busy' })
  expect(calls).toHaveLength(3)
})

it.each([
  ['three times', '1', 4],
  ['not at all when it is to wait for long', '60', 1],
])('gives a read up that stays refused: it is tried again %s', async (_, seconds, wanted) => {
  vi.useFakeTimers()
  answers = Array.from({ length: 9 }, () => json({ message: 'busy' }, 429, { 'retry-after': seconds }))
  const read = expect(createApi(tokens).send('GET', '/a')).rejects.toMatchObject({ status: 429 })
  await vi.runAllTimersAsync()
  await read
  expect(calls).toHaveLength(wanted)
})

it('renews the token once after a 401 and tries again', async () => {
  answers = [json({}, 401), json({ ok: true })]
  refreshes = [true]
  await expect(createApi(tokens).send('GET', '/a')).resolves.toEqual({ ok: true })
  expect(headersOf(1).authorization).toBe('Bearer fresh')
  expect(lost).toEqual([])
})

it('gives the sign-in up when the renewal fails, but not when a new token is refused too', async () => {
  answers = [json({ message: 'expired' }, 401)]
  await expect(createApi(tokens).send('GET', '/a')).rejects.toBeInstanceOf(ApiError)
  expect(lost).toEqual(['rejected'])
  answers = [json({}, 401), json({}, 401)]
  refreshes = [true]
  await expect(createApi(tokens).send('GET', '/b')).rejects.toMatchObject({ status: 401 })
  expect(lost).toEqual(['rejected'])
})

it('trades a ticket and repeats the call with both tokens', async () => {
  answers = [json({}, 401, { ticket: 't7' }), json({ ok: true })]
  await expect(createApi(tokens).send('PUT', '/a', { body: { x: 1 } })).resolves.toEqual({ ok: true })
  expect(headersOf(1)['x-qc-rpt']).toBe('Bearer party-t7')
  expect(headersOf(1).authorization).toBe('Bearer old')
  expect(calls[1]?.init.body).toBe('{"x":1}')
})

it.each([
  ['when the exchange is denied', 'denied'],
  ['when the call is refused again', 'granted'],
])('shows the refusal behind a ticket %s', async (_, outcome) => {
  const refusal = { status: 401, code: 'auth.forbidden', message: 'no', details: { needs: [{ scope: 'space.edit' }] } }
  answers = [json(refusal, 401, { ticket: outcome }), json({ status: 404, code: 'space.not-found' }, 404)]
  await expect(createApi(tokens).send('PUT', '/a', { body: { x: 1 } })).rejects.toMatchObject({
    status: 403,
    code: 'auth.forbidden',
  })
  expect(calls).toHaveLength(outcome === 'denied' ? 1 : 2)
  expect(lost).toEqual([])
})

it('makes no call without a token and asks for a reload', async () => {
  token = undefined
  await expect(createApi(tokens).send('GET', '/a')).rejects.toMatchObject({ status: 401 })
  expect(calls).toEqual([])
  expect(lost).toEqual(['missing'])
})

it.each([{ error: 'invalid_grant' }, { innerException: { response: { error: 'invalid_grant' } } }])(
  'starts over on %j',
  async (body) => {
    answers = [json(body, 400)]
    await expect(createApi(tokens).send('GET', '/a')).rejects.toBeInstanceOf(ApiError)
    expect(lost).toEqual(['invalid_grant'])
  },
)

/** Answers uploads one after the other; `sent` are the tokens and files that came. */
function uploading(...answers: [status: number, body: unknown][]) {
  const sent: { token: string | undefined; file: FormDataEntryValue | null }[] = []
  class Upload {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    status = 0
    statusText = ''
    responseText = ''
    onload = () => undefined
    #headers: Record<string, string> = {}
    open() {}
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value
    }
    getResponseHeader(name: string) {
      return name === 'content-type' ? 'application/json' : null
    }
    send(form: FormData) {
      sent.push({ token: this.#headers.authorization, file: form.get('file') })
      this.upload.onprogress?.({ loaded: 1, total: 4 })
      const [status, body] = answers.shift() ?? [200, {}]
      this.status = status
      this.responseText = JSON.stringify(body)
      this.onload()
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload)
  return sent
}

it('an upload signs in again as every call does, and sends the file once more', async () => {
  const sent = uploading([401, {}], [201, { success: true }])
  refreshes = [true]
  const progress: number[] = []
  const file = new File(['chart'], 'chart.tgz')
  const answer = createApi(tokens).upload('/up', { file, onProgress: (percent) => progress.push(percent) })
  await expect(answer).resolves.toEqual({ success: true })
  expect(sent.map(({ token: one }) => one)).toEqual(['Bearer old', 'Bearer fresh'])
  expect(sent.map(({ file: one }) => (one as File).name)).toEqual(['chart.tgz', 'chart.tgz'])
  expect(progress).toEqual([25, 25])
  expect(lost).toEqual([])
})

it('an upload that is refused says why, and gives the sign-in up when it cannot be renewed', async () => {
  uploading([409, { message: 'taken', code: 'catalog.version-taken' }], [401, { message: 'expired' }])
  const send = () => createApi(tokens).upload('/up', { file: new File(['x'], 'x.tgz') })
  await expect(send()).rejects.toMatchObject({ status: 409, message: 'taken', code: 'catalog.version-taken' })
  await expect(send()).rejects.toMatchObject({ status: 401 })
  expect(lost).toEqual(['rejected'])
})

it('a stream signs in again as every call does, and a refusal of it is thrown', async () => {
  answers = [json({}, 401), new Response('line\n'), json({ message: 'no such pod' }, 404)]
  refreshes = [true]
  const api = createApi(tokens)
  await expect(api.stream('/log').then((answer) => answer.text())).resolves.toBe('line\n')
  expect(headersOf(1).authorization).toBe('Bearer fresh')
  await expect(api.stream('/log')).rejects.toMatchObject({ status: 404, message: 'no such pod' })
})
