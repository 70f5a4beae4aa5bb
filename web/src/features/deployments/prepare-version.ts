import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import { postAction } from '../../api/deployments/deployments.ts'
import { waitForAction } from '../../api/deployments/ledger.ts'
import type { Api } from '../../lib/api/api.ts'
import { untilAnswered } from '../../lib/api/until-answered.ts'
import { texts } from './texts.ts'

const prepareSeconds = 60

/** Asks for a version's values and waits for them; the ledger keeps the answer, so a lost socket loses nothing. */
export async function prepareVersion(
  api: Api,
  { item, version }: CatalogChild,
  appId: string | undefined,
): Promise<PreparedVersion> {
  const accepted = await postAction(
    api,
    'Prepare',
    {
      catalogItemId: item.id,
      catalogVersionId: version.id,
      catalogItemType: item.type,
      appKind: item.appKind,
      appType: item.appType,
      appId,
    },
    crypto.randomUUID(),
  )
  const action = await untilAnswered(() => waitForAction(api, accepted.actionId, prepareSeconds))
  if (action.prepared === null)
    throw new Error(action.result?.summary ?? 'The values of this version could not be prepared.')
  const { values } = action.prepared
  const isBare = values.yaml.trim() === ''
  return isBare
    ? { ...action.prepared, values: { ...values, yaml: texts.infrastructure.defaultYaml } }
    : action.prepared
}
