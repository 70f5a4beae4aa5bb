import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id } from '../http/primitives.ts'
import { mostApps, mostContainers, mostPastLines } from './log-entry.ts'

const endpoint = endpointsOf('log')
const Switch = z.enum(['true', 'false']).default('false')
const SinceSeconds = z.coerce.number().int().min(1).max(10_000_000).optional()
/** Names or ids with commas between them. */
const several = (most: number) =>
  z
    .string()
    .max(most * 254)
    .optional()

const Narrowed = z.object({
  follow: Switch,
  tailLines: z.coerce.number().int().min(0).max(mostPastLines).default(200).describe('of each container'),
  sinceSeconds: SinceSeconds,
  search: z.string().max(200).optional().describe('text that a line has, in capitals or small letters'),
  pods: several(mostContainers).describe('names of pods, with commas between; the others are left out'),
})
const podName = z.string().min(1).max(253)

export const log = {
  appLog: endpoint('GET', '/v1/apps/:id/lines', {
    summary: 'Lines of all pods of an app, each a line of JSON, oldest first; with follow it stays open and streams',
    params: ById,
    query: Narrowed,
    streams: true,
  }),
  spaceLog: endpoint('GET', '/v1/spaces/:id/lines', {
    summary: 'The same of all apps of a space',
    params: ById,
    query: Narrowed.extend({ apps: several(mostApps).describe('ids of apps, with commas between') }),
    streams: true,
  }),
  podLog: endpoint('GET', '/v1/apps/:id/pods/:pod', {
    summary: 'The log of a pod as text; with follow it stays open and streams',
    params: z.object({ id: Id, pod: podName }),
    query: z.object({
      container: z.string().max(63).optional(),
      follow: Switch,
      previous: Switch,
      tailLines: z.coerce.number().int().min(0).max(100_000).default(500),
      sinceSeconds: SinceSeconds,
      timestamps: Switch,
    }),
    streams: true,
  }),
}
