import { deployment } from '@quayside/contract/deployment'
import { ledger } from '@quayside/contract/ledger'
import { deploymentPolicies, ledgerPolicies, presetPolicies } from '@quayside/contract/policies/deployment'
import { presets } from '@quayside/contract/presets'
import type { Actor } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'
import type { Http } from '../../kernel/http.ts'
import type { Access } from '../../kernel/rights.ts'
import { serve } from '../../kernel/route.ts'
import { accepted, commandOf } from './accept.ts'
import { askApproval } from './ask-approval.ts'
import { assign } from './assign.ts'
import { cancel } from './cancel.ts'
import { toJson, toYaml } from './convert.ts'
import { deploy, upgrade } from './deploy.ts'
import type { Deployments } from './index.ts'
import { leftoversOf } from './leftovers.ts'
import { findApp } from './lookup.ts'
import { prepare } from './prepare.ts'
import { addPreset, deletePreset, listPresets, renamePreset } from './presets.ts'
import { preview } from './preview.ts'
import { actionOf, actionsOf, catalogApp, deployedByIds, deployedOfItem, eventsOf } from './reading.ts'
import { releaseNameOf } from './release-name.ts'
import type { ReleaseView } from './release-view.ts'
import { remove } from './remove.ts'
import { repair } from './repair.ts'
import { mustBeRetryable, retry } from './retry.ts'
import { compareRevisions, revisionOf, revisionsOf } from './revisions.ts'
import { rollback } from './rollback.ts'
import { findStarters, type Reader } from './store.ts'

export function routes(http: Http, deployments: Deployments): void {
  const { deps, validate } = deployments
  serve(http, deployment, deploymentPolicies, {
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
    revision: ({ actor, params, access }) => revisionOf(deps, actor.tenantId, params.a, params.b, viewOf(access)),
    compareRevisions: ({ actor, params, query, access }) =>
      compareRevisions(deps, actor.tenantId, params.id, query, viewOf(access)),
    preview: ({ actor, params, body, access }) => preview(deps, actor, params.id, body, viewOf(access)),
    async releaseName({ actor, params }) {
      const app = await findApp(deps, actor.tenantId, params.a)
      return { name: releaseNameOf(params.b, app.identifier) }
    },
    deployed: async ({ actor, params, access }) => ({
      data: await deployedOfItem(deps, actor, params.a, params.b, access.spacesWith('app.view')),
    }),
    async deployedApp({ actor, params, access }) {
      const [found] = await deployedByIds(deps, actor, params.a, [params.c], access.spacesWith('app.view'))
      if (!found || found.catalogItemId !== params.b) throw fail('app.not-found')
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
      actionsOf(deps, readerOf(actor, access), query, '/deployment/v1/actions'),
    getAction: ({ actor, params, query, request, access, mustStillBeAllowed }) =>
      actionOf(deployments, actor.tenantId, params.id, query.wait, {
        access,
        isGone: () => request.raw.socket.destroyed,
        mustStillBeAllowed,
      }),
    async cancelAction({ actor, params, access, mustStillBeAllowed }) {
      const { id } = await cancel(deps, actor, params.id, access)
      return actionOf(deployments, actor.tenantId, id, 0, { access, isGone: () => true, mustStillBeAllowed })
    },
    async retryAction({ actor, params, request, access }) {
      const failed = await mustBeRetryable(deps, actor, params.id, access)
      return accepted(await retry(deps, commandOf(failed.kind, actor, { retryOf: params.id }, request), failed))
    },
    actionEvents: async ({ actor, params, query, access }) => ({
      data: await eventsOf(deps, actor.tenantId, params.id, { after: query.after, access }),
    }),
  })
  serve(http, ledger, ledgerPolicies, {
    listStarters: async ({ actor, access }) => ({ data: await findStarters(deps.db, readerOf(actor, access)) }),
  })
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

function readerOf({ tenantId, userId }: Actor, access: Access): Reader {
  return { tenantId, userId, within: access.spacesWith('app.view') }
}

/** How much of a release somebody is shown. */
function viewOf({ scopes }: Access): ReleaseView {
  return { showsSecrets: scopes.has('app.secrets') }
}
