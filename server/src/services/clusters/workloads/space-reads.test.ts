import { expect, it } from 'vitest'
import { fail } from '../../../platform/http/errors.ts'
import { createSpaceReads } from './space-reads.ts'

const event = { metadata: { uid: 'e1' }, type: 'Warning', lastTimestamp: '2026-01-01T00:00:00Z', involvedObject: {} }
const quota = { status: { hard: { pods: '10' }, used: { pods: '5' } } }

/** A space on three clusters, of which some do not answer. */
function reads(unreachable: readonly string[], error: Error = fail('cluster.unreachable')) {
  const ids = ['harbour', 'quay', 'lock']
  const list = async (path: string) => [path === 'v1/events' ? event : quota]
  return createSpaceReads({
    space: async () => ({ namespace: 'n', clusterIds: ids }),
    connections: {
      async to(_: string, id: string) {
        if (unreachable.includes(id)) throw error
        return { list }
      },
    },
    store: { all: async () => ids.map((id) => ({ id, display_name: id })) },
  } as unknown as Parameters<typeof createSpaceReads>[0])
}

it('clusters that do not answer are named, beside what the others report', async () => {
  const { eventsOfSpace, quotaOfSpace } = reads(['quay', 'harbour'])
  const events = await eventsOfSpace('t', 's', true)
  expect(events.missing).toEqual(['harbour', 'quay'])
  expect(events.found.map(({ clusterName }) => clusterName)).toEqual(['lock'])
  expect(await quotaOfSpace('t', 's')).toMatchObject({
    found: [{ clusterName: 'lock', resource: 'pods', used: '5', hard: '10', share: 0.5 }],
    missing: ['harbour', 'quay'],
  })
})

it('a space of which no cluster answers is not shown as one without events', async () => {
  const { eventsOfSpace } = reads(['harbour', 'quay', 'lock'])
  await expect(eventsOfSpace('t', 's', true)).rejects.toMatchObject({ code: 'cluster.unreachable' })
})

it('a fault of the portal is no cluster that does not answer', async () => {
  const { eventsOfSpace } = reads(['quay'], new TypeError('a fault'))
  await expect(eventsOfSpace('t', 's', true)).rejects.toThrow('a fault')
})
