import { mostPresets, type NewPreset, type Preset } from '@quayside/contract/deployments/presets'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { findVersion } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import { deleteRow, findPreset, insertPreset, presetsOf, renameRow } from './preset-store.ts'
import { refuseOutsideForm } from './restricted-values.ts'
import { readValues } from './values.ts'
import { inWorker } from './values-pool.ts'

/** Presets of an item of this tenant that the caller sees; of another one's there are none. */
export function listPresets(
  { db }: DeploymentDeps,
  { tenantId }: Actor,
  itemId: string,
  within: SpaceCondition | undefined,
): Promise<Preset[]> {
  return presetsOf(db, tenantId, itemId, within)
}

/** Keeps what the values change of the version's own ones. What somebody may not deploy, they cannot hand on either. */
export async function addPreset(
  deps: DeploymentDeps,
  actor: Actor,
  { name, catalogVersionId, spaceId, yaml }: z.infer<typeof NewPreset>,
): Promise<Preset> {
  const chosen = await findVersion(deps, actor.tenantId, catalogVersionId, 'catalogVersionId')
  const values = await readValues(yaml, 'yaml')
  await refuseOutsideForm(actor, chosen, values, 'yaml')
  const { valuesYaml, valuesSchema } = chosen
  const changes = await inWorker('shareable', { yaml, version: { valuesYaml, valuesSchema } })
  if (changes === '') throw fail('preset.nothing-to-keep', { field: 'yaml' })
  const about = { catalog_item_id: chosen.item.id, space_id: spaceId ?? null }
  const row = { ...about, id: longId(), name, yaml: changes, created_by: actor.username }
  const made = await insertPreset(deps.db, actor.tenantId, row, mostPresets)
  if (made === 'too-many') throw fail('preset.too-many')
  return made ?? taken()
}

export async function renamePreset(deps: DeploymentDeps, actor: Actor, id: string, name: string): Promise<Preset> {
  const preset = await findPreset(deps.db, actor.tenantId, id)
  if (!preset) throw fail('preset.not-found')
  return (await renameRow(deps.db, actor.tenantId, preset, name)) ?? taken()
}

export async function deletePreset(deps: DeploymentDeps, actor: Actor, id: string): Promise<void> {
  if (!(await deleteRow(deps.db, actor.tenantId, id))) throw fail('preset.not-found')
}

function taken(): never {
  throw fail('preset.name-taken', { field: 'name' })
}
