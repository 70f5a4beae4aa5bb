import { expect, test } from 'vitest'
import { fail } from '../../../../platform/http/errors.ts'
import type { LeftObject } from '../../ports.ts'
import type { ActionContext } from '../action-context.ts'
import { leftoversStep } from './leftovers.ts'

const left = (name: string): LeftObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  name,
  namespace: 'shop',
  uid: name,
  why: 'The chart marks it to be kept',
  detail: null,
  refusal: null,
})

test('each leftover is tried; what could not be removed fails the action by name, and what stays is said', async () => {
  const lines: string[] = []
  const answers: Record<string, () => unknown> = {
    good: () => 'removed',
    other: () => 'changed',
    barred: () => ({ refused: 'secrets "barred" is forbidden' }),
    away: () => {
      throw fail('cluster.unreachable')
    },
  }
  const remove = Object.keys(answers).map(left)
  const run = {
    input: { kind: 'Delete', realm: 'r', leftovers: { remove, keep: [left('kept')], keepAccess: {}, keepPins: true } },
    journal: { say: (_: string, line: string) => lines.push(line) },
    signal: new AbortController().signal,
    waiting: new AbortController().signal,
    action: { tenant_id: 't', cluster_id: 'c', namespace: 'shop', space_id: 's' },
    deps: {
      sidebar: { pinsOfApp: async () => ({ pins: 3, people: 2 }) },
      clusters: {
        removeLeftover: async (_: string, __: string, ___: object, { name }: LeftObject) => answers[name]?.(),
      },
    },
  } as unknown as ActionContext
  await expect(leftoversStep(run)).rejects.toThrow('2 of 4 leftovers could not be removed')
  expect(lines).toEqual([
    'Secret kept is kept: The chart marks it to be kept',
    'Pins of the app in side bars are kept: 3',
    'Secret good is removed',
    'Secret other stays: it is another object than the one that was looked at',
    'Secret barred could not be removed: secrets "barred" is forbidden',
    'Secret away could not be removed: The cluster could not be reached.',
  ])
})
