import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../../lib/api/api-error.ts'
import { hasSucceeded, type Progress, type ProgressEvent, reasonOf, reduce, startOf } from './progress.ts'

const event = (seq: number, name: string, payload: unknown, actionId = 'a1'): ProgressEvent => ({
  kind: 'event',
  event: name,
  payload,
  seq,
  at: '2026-01-01T00:00:00.000Z',
  actionId,
})
const line = (seq: number, type: string, message: string) => event(seq, 'message', { type, message, level: 'info' })
const play = (events: ProgressEvent[], from: Progress = startOf('Deploy')) => events.reduce(reduce, from)

const story: ProgressEvent[] = [
  { kind: 'accepted', actionId: 'a1' },
  line(1, 'iam', 'Nothing to grant'),
  event(2, 'IAM', { msg: 'done', type: 'Success' }),
  line(3, 'helm', 'created Deployment web'),
  line(4, 'deploy', 'Deploy result of App: Success'),
  event(5, 'Deploy', { state: 0, summary: 'Deployment finished', lines: [] }),
]

describe('the progress of a deployment', () => {
  it('runs IAM first, then the deployment, each with its own log', () => {
    const middle = play(story.slice(0, 3))
    expect([middle.iam, middle.deployment]).toEqual(['done', 'waiting'])
    expect(reduce(middle, { kind: 'running' }).deployment).toBe('running')
    const last = play(story)
    expect(last.iamLog.map((entry) => entry.message)).toEqual(['Nothing to grant'])
    expect(last.deploymentLog.map((entry) => entry.message)).toEqual([
      'created Deployment web',
      'Deploy result of App: Success',
    ])
    expect([last.iam, last.deployment, hasSucceeded(last)]).toEqual(['done', 'done', true])
  })

  it('takes a timeout as a message and lets the hook result decide', () => {
    const waiting = play([...story.slice(0, 4), event(5, 'helmresult', { state: 2, summary: 'timeout', lines: [] })])
    expect(waiting.ended).toBe(false)
    expect(waiting.deploymentLog.at(-1)).toMatchObject({
      message: 'Timeout received, waiting for HELM...',
      timeout: true,
    })
    const ended = reduce(waiting, event(6, 'hookresult', { state: 0, summary: 'x', lines: [] }))
    expect(ended.result).toMatchObject({ state: 0, summary: 'Deployment finished' })
    expect(hasSucceeded(ended)).toBe(true)
  })

  it('ends as failed when the request fails, and when IAM fails', () => {
    expect(play([{ kind: 'request-failed', message: 'gone' }]).result?.summary).toBe('Communication Error (gone)')
    const iamFailed = play([
      event(1, 'IAM', { msg: 'no', type: 'GroupFaild' }),
      event(2, 'Deploy', { state: 1, summary: 's', lines: [] }),
    ])
    expect([iamFailed.iam, iamFailed.deployment, hasSucceeded(iamFailed)]).toEqual(['failed', 'failed', false])
  })

  it('tells the message of a failed request, and of an upgrade or a rollback the whole error', () => {
    const error = new ApiError(409, 'Another action runs', { code: 'deployment.already-running', requestId: 'r1' })
    for (const action of ['Deploy', 'Delete'] as const) expect(reasonOf(action, error)).toBe('Another action runs')
    for (const action of ['Upgrade', 'Rollback'] as const)
      expect(JSON.parse(reasonOf(action, error))).toEqual({
        status: 409,
        statusText: '',
        code: 'deployment.already-running',
        requestId: 'r1',
        message: 'Another action runs',
      })
    expect(reasonOf('Upgrade', new TypeError('odd'))).toBe('{"message":"odd"}')
  })

  it('keeps the lines of every type, and when each part ended', () => {
    const at = (seconds: number, one: ProgressEvent): ProgressEvent =>
      one.kind === 'event' ? { ...one, at: `2026-01-01T00:00:0${seconds}.000Z` } : one
    const last = play([
      at(1, line(1, 'assign', 'App assigned')),
      at(2, line(2, 'prepare', 'Values prepared')),
      at(3, event(3, 'IAM', { msg: 'done', type: 'Success' })),
      at(5, event(4, 'Deploy', { state: 0, summary: 's', lines: [] })),
      at(7, line(5, 'helm', 'late')),
    ])
    expect(last.deploymentLog.map(({ message }) => message)).toEqual(['App assigned', 'Values prepared', 'late'])
    expect([last.startedAt, last.iamEndedAt, last.endedAt].map((time) => time?.slice(17, 19))).toEqual([
      '01',
      '03',
      '05',
    ])
  })

  it('flags lines that speak of a timeout', () => {
    expect(play([line(1, 'helm', 'Error: timed out waiting')]).deploymentLog[0]?.timeout).toBe(true)
  })

  it('ignores what belongs to another action', () => {
    const before = play(story.slice(0, 2))
    expect(reduce(before, event(9, 'Deploy', { state: 1, summary: '', lines: [] }, 'other'))).toBe(before)
  })

  it('ends in the same picture however often parts are replayed', () => {
    const numbered = story.filter((one) => one.kind === 'event')
    const expected = play([{ kind: 'accepted', actionId: 'a1' }, ...numbered])
    fc.assert(
      fc.property(fc.array(fc.nat({ max: numbered.length }), { maxLength: 12 }), (cuts) => {
        const withReplays = cuts.flatMap((cut) => numbered.slice(0, cut))
        const prefixes =
          cuts.length === 0
            ? []
            : withReplays.toSorted((a, b) => (a.kind === 'event' && b.kind === 'event' ? a.seq - b.seq : 0))
        expect(play([{ kind: 'accepted', actionId: 'a1' }, ...prefixes, ...numbered])).toEqual(expected)
      }),
    )
  })
})
