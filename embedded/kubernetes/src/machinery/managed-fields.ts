import { KubeError, type StatusCause } from '../api-error.ts'
import type { Schema } from '../resources/schema.ts'
import { type Doc, deepEqual, isDoc } from '../store/doc.ts'
import { DuplicateItem, merged, pruned, refuseDuplicates } from './apply-merge.ts'
import { difference, type FieldSet, intersection, node, pathsOf, union } from './field-set.ts'
import { claimedFields, fieldChanges } from './field-walk.ts'

export interface ManagedEntry {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  time?: string
  fieldsType: 'FieldsV1'
  fieldsV1: FieldSet
  subresource?: string
}

/** Manager and time of a write, for managedFields. */
export interface Writer {
  manager: string
  apiVersion: string
  subresource?: string
  time: string
}

/** Identity and bookkeeping belong to nobody. */
const UNOWNED: FieldSet = {
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': Object.fromEntries(
    [
      'name',
      'namespace',
      'generateName',
      'creationTimestamp',
      'selfLink',
      'uid',
      'generation',
      'managedFields',
      'resourceVersion',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
    ].map((field) => [`f:${field}`, {}]),
  ),
}

function without(set: FieldSet | undefined, whole: FieldSet): FieldSet | undefined {
  if (!set) return undefined
  return node(
    false,
    Object.entries(set).map(([element, child]) => {
      const gone = whole[element]
      if (!gone) return [element, child] as const
      return [element, Object.keys(gone).length === 0 ? undefined : without(child, gone)] as const
    }),
  )
}

/** Fields that a writer may own: not the identity, and of spec and status only the one that it writes to. */
function ownable(set: FieldSet | undefined, subresource: string | undefined, hasStatus: boolean): FieldSet | undefined {
  const owned = without(set, UNOWNED)
  if (!owned || !hasStatus) return owned
  const { 'f:status': status, ...rest } = owned
  if (subresource === 'status') return status ? { 'f:status': status } : undefined
  return Object.keys(rest).length > 0 ? rest : undefined
}

const entriesOf = (object: Doc): ManagedEntry[] => {
  const metadata = object.metadata
  const entries = isDoc(metadata) ? metadata.managedFields : undefined
  return Array.isArray(entries) ? (entries as ManagedEntry[]) : []
}

const isSame = (entry: ManagedEntry, writer: Writer, operation: ManagedEntry['operation']): boolean =>
  entry.manager === writer.manager &&
  entry.operation === operation &&
  (entry.subresource ?? '') === (writer.subresource ?? '') &&
  (operation === 'Apply' || entry.apiVersion === writer.apiVersion)

const entryFor = (writer: Writer, operation: ManagedEntry['operation'], fieldsV1: FieldSet): ManagedEntry => ({
  manager: writer.manager,
  operation,
  apiVersion: writer.apiVersion,
  time: writer.time,
  fieldsType: 'FieldsV1',
  fieldsV1,
  ...(writer.subresource ? { subresource: writer.subresource } : {}),
})

/** The entry with other fields; the very same one when they are equal, none when they are none. */
function withFields(entry: ManagedEntry, fields: FieldSet | undefined): ManagedEntry[] {
  if (!fields) return []
  return deepEqual(entry.fieldsV1, fields) ? [entry] : [{ ...entry, fieldsV1: fields }]
}

/** Managed fields after a plain write that turned `old` into `next`. */
export function trackUpdate(
  schema: Schema,
  old: Doc | undefined,
  next: Doc,
  writer: Writer,
  hasStatus: boolean,
): ManagedEntry[] {
  const { changed, removed } = fieldChanges(schema, old ?? {}, next)
  const mine = ownable(changed, writer.subresource, hasStatus)
  const gone = without(removed, UNOWNED)
  const entries = old ? entriesOf(old) : []
  const own = entries.find((entry) => isSame(entry, writer, 'Update'))
  const rest = entries.flatMap((entry) =>
    entry === own ? [] : withFields(entry, difference(difference(entry.fieldsV1, mine), gone)),
  )
  const fields = difference(union(own?.fieldsV1, mine), gone)
  if (!fields) return rest
  if (own && deepEqual(own.fieldsV1, fields)) return [...rest, own]
  return [...rest, entryFor(writer, 'Update', fields)]
}

function shownOwner({ manager, operation, apiVersion, subresource, time }: ManagedEntry): string {
  const name = JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : '')
  if (operation === 'Apply') return name
  return `${name} using ${apiVersion}${time ? ` at ${time}` : ''}`
}

interface OwnerConflict {
  owner: string
  paths: string[]
}

function conflictError(conflicts: readonly OwnerConflict[]): KubeError {
  const causes: StatusCause[] = conflicts.flatMap(({ owner, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })),
  )
  const lines = conflicts.map(({ owner, paths }) =>
    paths.length === 1
      ? `conflict with ${owner}: ${paths[0]}`
      : [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n'),
  )
  const count = causes.length
  const message = `Apply failed with ${count} conflict${count === 1 ? '' : 's'}: ${lines.join('\n')}`
  return new KubeError(409, 'Conflict', message, { causes })
}

interface Applied {
  object: Doc
  managedFields: ManagedEntry[]
}

interface ApplyRequest {
  schema: Schema
  live: Doc | undefined
  config: Doc
  writer: Writer
  force: boolean
  hasStatus: boolean
  /** Names the object in messages: `default/web; apps/v1, Kind=Deployment`. */
  about: string
}

function configFields(request: ApplyRequest): FieldSet | undefined {
  try {
    refuseDuplicates(request.schema, request.config)
  } catch (error) {
    if (!(error instanceof DuplicateItem)) throw error
    throw new KubeError(500, '', `failed to create typed patch object (${request.about}): ${error.message}`)
  }
  return ownable(claimedFields(request.schema, request.config), request.writer.subresource, request.hasStatus)
}

/** Nobody owns what an object is called, so nobody takes it away with the last label. */
const identity: FieldSet = { 'f:metadata': { 'f:name': {} } }

/** Server-side apply: the next version of the object and who owns what of it, or the conflict. */
export function applyConfig(request: ApplyRequest): Applied {
  const { schema, live = {}, config, writer, force } = request
  const entries = entriesOf(live)
  const own = entries.find((entry) => isSame(entry, writer, 'Apply'))
  const others = entries.filter((entry) => entry !== own)
  const mine = configFields(request)
  const keep = union(
    mine,
    others.reduce<FieldSet | undefined>((all, { fieldsV1 }) => union(all, fieldsV1), undefined),
  )
  const laid = merged(schema, live, config) as Doc
  const next = (own ? pruned(schema, laid, own.fieldsV1, union(keep, identity) ?? {}) : laid) as Doc
  const { changed, removed } = fieldChanges(schema, live, next)
  const clashes = others.map((entry) => ({
    entry,
    clash: ownable(intersection(entry.fieldsV1, changed), writer.subresource, request.hasStatus),
  }))
  const conflicts = clashes.flatMap(({ entry, clash }) => {
    const paths = pathsOf(clash)
    return paths.length > 0 ? [{ owner: shownOwner(entry), paths }] : []
  })
  if (conflicts.length > 0 && !force) throw conflictError(conflicts)
  const rest = clashes.flatMap(({ entry, clash }) =>
    withFields(entry, difference(difference(entry.fieldsV1, clash), removed)),
  )
  if (!mine) return { object: next, managedFields: rest }
  const unchanged = own && own.apiVersion === writer.apiVersion && deepEqual(own.fieldsV1, mine)
  return { object: next, managedFields: [...rest, unchanged ? own : entryFor(writer, 'Apply', mine)] }
}
