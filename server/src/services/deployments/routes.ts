import { deployments as endpoints } from '@quayside/contract/deployments/endpoints'
import { ledger } from '@quayside/contract/deployments/ledger'
import { deploymentPolicies, ledgerPolicies, presetPolicies } from '@quayside/contract/deployments/policies'
import { presets } from '@quayside/contract/deployments/presets'
import type { Actor } from '../../platform/auth/actor.ts'
import { readerOf } from '../../platform/auth/reader.ts'
import type { Access } from '../../platform/auth/rights.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import { accepted, commandOf, knownByKey } from './commands/accept.ts'
import { askApproval } from './commands/ask-approval.ts'
import { assign } from './commands/assign.ts'
import { deploy, upgrade } from './commands/deploy.ts'
import { abort } from './commands/ending/abort.ts'
import { cancel } from './commands/ending/cancel.ts'
import { findApp } from './commands/lookup.ts'
import { prepare } from './commands/prepare.ts'
import { remove } from './commands/remove.ts'
import { repair } from './commands/repair.ts'
import { mustBeRetryable, retry } from './commands/retry.ts'
import { rollback } from './commands/rollback.ts'
import type { Deployments } from './index.ts'
import { actionOf, actionsOf, catalogApp, deployedByIds, deployedOfItem, eventsOf } from './ledger/queries.ts'
import { leftoversOf } from './releases/leftovers.ts'
import { releaseNameOf } from './releases/release-name.ts'
import type { ReleaseView } from './releases/release-view.ts'
import { compareRevisions, revisionOf, revisionsOf } from './releases/revisions.ts'
import { findStarters } from './store.ts'
import { preview } from './validation/preview.ts'
import { toJson, toYaml } from './values/convert.ts'
import { addPreset, deletePreset, listPresets, renamePreset } from './values/presets.ts'

/** A deletion may be sent again, with its key, when the app is gone by its end. */
export function routes(http: Http, deployments: Deployments): void {
  const { deps, validate } = deployments
  serve(
    http,
    endpoints,
    deploymentPolicies,
    {
      assign: ({ actor, body, request }) => assign(deps, commandOf('Assign', actor, body, request), body),
      prepare: async ({ actor, body, request }) =>
        accepted(await prepare(deps, commandOf('Prepare', actor, body, request), body)),
      deploy: async ({ actor, body, request }) =>
        accepted(await deploy(deps, commandOf('Deploy', actor, body, request), body)),
      upgrade: async ({ actor, body, request }) =>
        accepted(await upgrade(deps, commandOf('Upgrade', actor, body, request), body)),
      rollback: async ({ actor, body, request }) =>
        accepted(await rollback(deps, commandOf('Rollback', actor, body, request), body)),
      remove: async ({ actor, body, request, access }) =>
        accepted(await remove(deps, commandOf('Delete', actor, body, request), body, access)),
      repair: async ({ actor, body, request }) =>
        accepted(await repair(deps, commandOf('Repair', actor, body, request), body)),
      leftovers: async ({ actor, params }) => ({
        data: await leftoversOf(deps, actor, await findApp(deps, actor.tenantId, params.id)),
      }),
      catalogApp: ({ actor, params, access }) =>
        catalogApp(deps, actor.tenantId, params.id, access.spacesWith('app.view')),
      revisions: async ({ actor, params }) => ({ data: await revisionsOf(deps, actor.tenantId, params.id) }),
      revision: ({ actor, params, access }) =>
        revisionOf(deps, actor.tenantId, params.appId, params.revision, viewOf(access)),
      compareRevisions: ({ actor, params, query, access }) =>
        compareRevisions(deps, actor.tenantId, params.id, query, viewOf(access)),
      preview: ({ actor, params, body, access }) => preview(deps, actor, params.id, body, viewOf(access)),
      async releaseName({ actor, params }) {
        const app = await findApp(deps, actor.tenantId, params.appId)
        return { name: releaseNameOf(params.name, app.identifier) }
      },
      deployed: async ({ actor, params, access }) => ({
        data: await deployedOfItem(deps, actor, params.tenantId, params.itemId, access.spacesWith('app.view')),
      }),
      async deployedApp({ actor, params, access }) {
        const [found] = await deployedByIds(deps, actor, params.tenantId, [params.appId], access.spacesWith('app.view'))
        if (!found || found.catalogItemId !== params.itemId) throw fail('app.not-found')
        return found
      },
      deployedByIds: async ({ actor, params, body, access }) => ({
        data: await deployedByIds(deps, actor, params.tenantId, body, access.spacesWith('app.view')),
      }),
      validate: ({ actor, params, body }) => validate(actor, params.id, body),
      askApproval: ({ actor, params, body }) => askApproval(deps, actor, params.id, body),
      toYaml: ({ body }) => toYaml(body),
      toJson: ({ actor, body }) => toJson(deps, actor.tenantId, body),
      listActions: ({ actor, query, access }) =>
        actionsOf(deps, readerOf(actor, access.spacesWith('app.view')), query, '/deployment/v1/actions'),
      getAction: ({ actor, params, query, request, access, mustStillBeAllowed }) =>
        actionOf(deployments, actor.tenantId, params.id, query.wait, {
          access,
          isGone: () => request.raw.socket.destroyed,
          mustStillBeAllowed,
        }),
      cancelAction: (asked) => endAction(deployments, cancel, asked),
      abortAction: (asked) => endAction(deployments, abort, asked),
      async retryAction({ actor, params, request, access }) {
        const failed = await mustBeRetryable(deps, actor, params.id, access)
        return accepted(await retry(deps, commandOf(failed.kind, actor, { retryOf: params.id }, request), failed))
      },
      actionEvents: async ({ actor, params, query, access }) => ({
        data: await eventsOf(deps, actor.tenantId, params.id, { after: query.after, access }),
      }),
    },
    {
      async remove({ actor, body, request }) {
        const known = await knownByKey(deps, commandOf('Delete', actor, body, request))
        return known && accepted(known)
      },
    },
  )
  starterRoutes(http, deployments)
  presetRoutes(http, deployments)
}

interface Ending extends Pick<Parameters<typeof actionOf>[4], 'access' | 'mustStillBeAllowed'> {
  actor: Actor
  params: { id: string }
}

/** Ends an action and answers as it is then. */
async function endAction(deployments: Deployments, end: typeof cancel, { actor, params, ...asked }: Ending) {
  const { access, mustStillBeAllowed } = asked
  const { id } = await end(deployments.deps, actor, params.id, access)
  return actionOf(deployments, actor.tenantId, id, 0, { access, isGone: () => true, mustStillBeAllowed })
}

function starterRoutes(http: Http, { deps }: Deployments): void {
  serve(http, ledger, ledgerPolicies, {
    listStarters: async ({ actor, access }) => ({
      data: await findStarters(deps.db, readerOf(actor, access.spacesWith('app.view'))),
    }),
  })
}

function presetRoutes(http: Http, { deps }: Deployments): void {
  serve(http, presets, presetPolicies, {
    listPresets: async ({ actor, params, access }) => ({
      data: await listPresets(deps, actor, params.id, access.spacesWith('app.view')),
    }),
    addPreset: ({ actor, body }) => addPreset(deps, actor, body),
    renamePreset: ({ actor, params, body }) => renamePreset(deps, actor, params.id, body.name),
    async deletePreset({ actor, params }) {
      await deletePreset(deps, actor, params.id)
    },
  })
}

/** How much of a release somebody is shown. */
function viewOf({ scopes }: Access): ReleaseView {
  return { showsSecrets: scopes.has('app.secrets') }
}
