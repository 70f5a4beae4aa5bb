import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { useQuery } from '@tanstack/react-query'
import { appQuery } from '../../../api/app.ts'
import { catalogAppQuery } from '../../../api/deployments/deployments.ts'
import { useWizards, type WizardRequest } from '../../../api/deployments/wizards.tsx'
import { useOpens } from '../../../api/permissions/my-scopes.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useWizardSocket } from '../progress/use-wizard-socket.ts'
import { type ProgressAction, texts } from '../texts.ts'
import { wizardFor } from '../wizard-for.ts'
import { ProgressWizard } from './progress-wizard.tsx'
import { namesOf } from './steps-of.ts'
import { cardOfApp, cardOfChild } from './wizard-card.ts'
import type { WizardCard } from './wizard-frame.tsx'

const wizardAction = { Deploy: 'Install', Upgrade: 'Upgrade', Rollback: 'Rollback', Delete: 'Delete' } as const

/** The last step of a wizard that was left, as it would stand there now. */
export function FollowWizard({ action }: { action: Action }) {
  const { api } = usePortal()
  const { close, open } = useWizards()
  const socket = useWizardSocket()
  const seesApps = useOpens()('apps/$appId')
  const isKnown = action.appId !== null && seesApps
  const app = useQuery({ ...appQuery(api, action.appId ?? ''), enabled: isKnown, retry: false })
  const child = useQuery({
    ...catalogAppQuery(api, app.data?.catalogVersionId ?? ''),
    enabled: app.data !== undefined,
  })
  // An app that is gone, or a version that is, takes nothing away from what there is to tell.
  const isReading = (isKnown && app.isPending) || (app.data !== undefined && child.isPending)
  if (isReading) return null
  const kind = action.kind as ProgressAction
  const again = againOf(kind, action.appId)
  const from = kind === 'Upgrade' && app.data !== undefined && app.data.version !== action.version
  const version = from ? `${app.data.version} → ${action.version ?? ''}` : (action.version ?? '')
  return (
    <ProgressWizard
      action={kind}
      releaseName={action.releaseName ?? ''}
      isOnlyAssigned={action.releaseName === null}
      appId={action.appId ?? undefined}
      spaceId={action.spaceId}
      sent={{ actionId: action.id }}
      socket={socket}
      card={cardFor(action, app.data, child.data?.child)}
      steps={stepsFor(kind, app.data)}
      low={kind === 'Delete'}
      place={`${action.appName} ${version} → ${action.spaceName ?? ''} on ${action.clusterName ?? ''}`}
      onRetry={
        again &&
        (() => {
          close({ success: false, type: kind })
          void open(again)
        })
      }
    />
  )
}

/** An installation shows the catalog item, as its wizard did; everything else shows the app. */
function cardFor(action: Action, app: App | undefined, child: CatalogChild | undefined): WizardCard {
  if (child && action.kind === 'Deploy') return cardOfChild(child)
  return app ? cardOfApp(app, child?.item) : cardOfAction(action)
}

function stepsFor(kind: ProgressAction, app: App | undefined): string[] {
  if (app === undefined) return [texts.progress.step]
  try {
    const wizard = wizardFor(app.itemType, app.appType, wizardAction[kind])
    return wizard === 'generic-delete' ? [texts.remove.step, texts.progress.step] : namesOf(wizard)
  } catch {
    // A script may do what no wizard offers; it is shown all the same.
    return [texts.progress.step]
  }
}

/** Where a failed one can be tried again; an installation that nobody kept open starts from the app. */
function againOf(kind: ProgressAction, appId: string | null): WizardRequest | undefined {
  if (appId === null || kind === 'Deploy') return undefined
  return { kind: kind.toLowerCase() as 'upgrade' | 'rollback' | 'delete', appId }
}

function cardOfAction({ appName }: Action): WizardCard {
  return { displayName: appName, color: '', category: 'App', manufacturerName: '', icon: null }
}
