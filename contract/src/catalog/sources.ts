import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import {
  sourceLimits as most,
  patternProblem,
  scheduleHours,
  sourceAddressProblem,
  sourceKinds,
  sourceSignIns,
} from './source-rules.ts'

const endpoint = endpointsOf('catalog')

/** How far a run is: `partly` took what it could and refused or left the rest. */
const runStates = ['waiting', 'running', 'done', 'partly', 'failed'] as const

export const SourceRun = z.object({
  id: z.string(),
  state: z.enum(runStates),
  /** User name; null when the schedule began it. */
  askedBy: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** Versions to process, and how many are processed. */
  total: z.number(),
  done: z.number(),
  taken: z.number(),
  /** Versions that the catalog has from an earlier run. */
  known: z.number(),
  refused: z.number(),
  skipped: z.number(),
  /** The version that is fetched now. */
  current: z.string().nullable(),
  /** A sentence about how it went; empty until it has ended. */
  message: z.string(),
})
export type SourceRun = z.infer<typeof SourceRun>

/** One version, or a whole chart where the version is empty, and what a run did with it. */
export const SourceRunLine = z.object({
  id: z.string(),
  chart: z.string(),
  version: z.string(),
  outcome: z.enum(['taken', 'refused', 'skipped', 'gone']),
  message: z.string(),
  itemId: z.string().nullable(),
})
export type SourceRunLine = z.infer<typeof SourceRunLine>

export const CatalogSource = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(sourceKinds),
  address: z.string(),
  signIn: z.enum(sourceSignIns),
  /** Empty where it signs in with a token, or not at all. */
  username: z.string(),
  charts: z.array(z.string()),
  versions: z.number(),
  prereleases: z.boolean(),
  addsToUploads: z.boolean(),
  everyHours: z.number().nullable(),
  nextRunAt: z.string().nullable(),
  itemCount: z.number(),
  versionCount: z.number(),
  /** The run that is under way, or the last one. */
  lastRun: SourceRun.nullable(),
  createdAt: z.string(),
  createdBy: z.string(),
  updatedAt: z.string(),
})
export type CatalogSource = z.infer<typeof CatalogSource>

const Pattern = z
  .string()
  .trim()
  .min(1)
  .max(most.pattern)
  .superRefine((text, context) => {
    const message = text === '' ? undefined : patternProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** One line without control characters: it becomes a header. */
const headerText = (max: number) =>
  z
    .string()
    .max(max, `at most ${max} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'no line ends or tabs')

const Input = z.strictObject({
  name: nameOf(longest.displayName),
  kind: z.enum(sourceKinds),
  address: z.string().max(most.address).trim(),
  signIn: z.enum(sourceSignIns).default('none'),
  username: headerText(most.username)
    .trim()
    .regex(/^[^:]*$/, 'no colon')
    .default(''),
  secret: headerText(most.secret)
    .min(1)
    .optional()
    .describe('the password or the token; left out, the current one stays'),
  charts: z.array(Pattern).max(most.patterns).default([]).describe('names or patterns of charts; none for all of them'),
  versions: z.number().int().min(1).max(most.versions).default(5).describe('how many of the newest of each chart'),
  prereleases: z.boolean().default(false),
  addsToUploads: z.boolean().default(false).describe('adds to items of the same name that were uploaded'),
  everyHours: z
    .union(scheduleHours.map((hours) => z.literal(hours)))
    .nullable()
    .default(24),
})

const isWhole = (
  { kind, address, signIn, username, secret }: Omit<z.output<typeof Input>, 'name'>,
  context: z.RefinementCtx,
) => {
  const problem = sourceAddressProblem(kind, address)
  if (problem !== undefined) context.addIssue({ code: 'custom', path: ['address'], message: problem })
  if (signIn === 'password' && username === '')
    context.addIssue({ code: 'custom', path: ['username'], message: 'User name required' })
  if (signIn === 'token' && secret !== undefined && !/^[\x21-\x7e]+$/.test(secret))
    context.addIssue({ code: 'custom', path: ['secret'], message: 'a token has no spaces, and letters of ASCII alone' })
}

export const SourceInput = Input.superRefine(isWhole)
export type SourceInput = z.output<typeof SourceInput>

/** A preview of what a source has, which changes nothing. */
export const SourcePreview = z.object({
  /** A sentence about what was found. */
  message: z.string(),
  /** Further sentences, about what would be left out. */
  notes: z.array(z.string()),
  chartCount: z.number(),
  versionCount: z.number(),
  /** Charts that would be processed, with the versions that it would take; the first of them. */
  charts: z.array(z.object({ name: z.string(), versions: z.array(z.string()) })),
})
export type SourcePreview = z.infer<typeof SourcePreview>

/** Repositories and registries from which charts come into the catalog. */
export const catalogSources = {
  listSources: endpoint('GET', '/v1/sources', {
    summary: 'Sources of the catalog by name, without their secrets',
    reply: z.object({ data: z.array(CatalogSource) }),
  }),
  getSource: endpoint('GET', '/v1/sources/:id', { summary: 'One source', params: ById, reply: CatalogSource }),
  testSource: endpoint('POST', '/v1/sources/test', {
    summary: 'Ask a source which charts it has, and change nothing',
    onlyReads: true,
    body: Input.omit({ name: true })
      .extend({ id: Id.optional().describe('the source whose secret is used when none is given') })
      .superRefine(isWhole),
    reply: SourcePreview,
  }),
  addSource: endpoint('POST', '/v1/sources', {
    summary: 'Add a source; it is synchronised at once',
    body: SourceInput,
    reply: CatalogSource,
    status: 201,
  }),
  changeSource: endpoint('PUT', '/v1/sources/:id', {
    summary:
      'Change a source; a secret that is left out stays, unless the host, the user name or the kind of sign-in changes',
    params: ById,
    body: SourceInput,
    reply: CatalogSource,
  }),
  deleteSource: endpoint('DELETE', '/v1/sources/:id', {
    summary: 'Delete a source; items of it that are deployed stay, the others as `items` says',
    params: ById,
    query: z.object({ items: z.enum(['keep', 'delete']).default('keep') }),
    reply: z.object({ deletedItems: z.number(), keptItems: z.number() }),
  }),
  synchroniseSource: endpoint('POST', '/v1/sources/:id/synchronise', {
    summary: 'Synchronise a source now; a run that is under way is answered instead of a second one',
    params: ById,
    reply: SourceRun,
    status: 202,
  }),
  listSourceRuns: endpoint('GET', '/v1/sources/:id/runs', {
    summary: 'The last runs of a source, newest first',
    params: ById,
    reply: z.object({ data: z.array(SourceRun) }),
  }),
  getSourceRun: endpoint('GET', '/v1/sources/:id/runs/:runId', {
    summary: 'One run with what it brought, and what it left out and why',
    params: ById.extend({ runId: Id }),
    reply: SourceRun.extend({ lines: z.array(SourceRunLine) }),
  }),
}
