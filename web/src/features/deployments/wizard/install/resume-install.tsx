import type { App } from '@quayside/contract/apps/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type CatalogApp, resumedQuery } from '../../../../api/deployments/deployments.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import { usePortal } from '../../../../lib/portal.tsx'
import { Button } from '../../../../ui/actions/button.tsx'
import { Loading } from '../../../../ui/states/loading.tsx'
import { prepareVersion } from '../../prepare-version.ts'
import { texts } from '../../texts.ts'
import { namesOf } from '../steps-of.ts'
import { cardOfChild } from '../wizard-card.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { draftOf } from './install-draft.ts'
import { InstallWizard } from './install-wizard.tsx'
import type { InstallKind, Resumed } from './use-entries.ts'

interface Props {
  app: App
  space: Space
  child: CatalogApp['child']
  kind: InstallKind
  /** Nothing opens; the reason is said instead. */
  refused: (error: Error) => React.ReactNode
}

/** The install wizard of an app that was assigned and never deployed, where General Information had led to. */
export function ResumeInstall({ app, space, child, kind, refused }: Props) {
  const { api, me } = usePortal()
  const { close } = useWizards()
  const found = useQuery(resumedQuery(api, app, child.version.id, () => prepareVersion(api, child, app.id)))
  // The wizard keeps its first data: a deployment changes the app, and that must not start the wizard over.
  const begun = useRef<Resumed>(undefined)
  if (found.data !== undefined)
    begun.current ??= { assigned: { app, child, space, ...found.data }, draft: draftOf(me().userId, app.id) }
  if (begun.current !== undefined)
    return <InstallWizard child={child} spaceId={space.id} kind={kind} resumed={begun.current} />
  if (found.error !== null) return refused(found.error)
  const card = cardOfChild(child)
  return (
    <WizardFrame
      card={card}
      title={card.displayName}
      subtitle={`${card.category} · by ${card.manufacturerName} · ${child.version.version}`}
      steps={namesOf(kind)}
      current={0}
      cancel={
        <Button look="quiet" onClick={() => close()}>
          {texts.cancelDeployment}
        </Button>
      }
      actions={null}
    >
      <Loading card />
    </WizardFrame>
  )
}
