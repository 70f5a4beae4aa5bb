import type { App } from '@quayside/contract/apps/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leftoversQuery } from '../../../../api/deployments/deployments.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import { usePortal } from '../../../../lib/portal.tsx'
import { Button } from '../../../../ui/actions/button.tsx'
import { classNames } from '../../../../ui/marks/class-names.ts'
import { useSendAction } from '../../progress/use-send-action.ts'
import { type Choices, choicesToSend, LeftoverList } from '../../steps/leftover-list.tsx'
import styles from '../../steps/steps.module.css'
import { texts } from '../../texts.ts'
import { ProgressWizard } from '../progress-wizard.tsx'
import { namesOf } from '../steps-of.ts'
import { useAppCard } from '../use-app-card.ts'
import { WizardFrame } from '../wizard-frame.tsx'

const t = texts.remove
const steps = namesOf('D')

/** Wizard D: what will be deleted, then the deletion. */
export function DeleteWizard({ app }: { app: App }) {
  const { api } = usePortal()
  const { close } = useWizards()
  const { socket, sent, send, reset } = useSendAction('Delete')
  const [choices, setChoices] = useState<Choices>({})
  const leftovers = useQuery({ ...leftoversQuery(api, app.id), enabled: sent === undefined })
  const card = useAppCard(app)
  if (sent !== undefined) {
    return (
      <ProgressWizard
        action="Delete"
        releaseName={app.releaseName ?? app.id}
        isOnlyAssigned={app.releaseName === null}
        appId={app.id}
        sent={sent}
        socket={socket}
        onRetry={reset}
        card={card}
        steps={steps}
        low
        place={`${app.displayName} in ${app.spaceName} on ${app.clusterName}`}
      />
    )
  }
  return (
    <WizardFrame
      title={app.displayName}
      subtitle={`${app.catalogItemName} · ${app.version}`}
      card={card}
      steps={steps}
      low
      current={0}
      cancel={
        <Button look="quiet" onClick={() => close()}>
          {texts.cancel}
        </Button>
      }
      actions={
        <Button
          look="danger"
          disabled={leftovers.isPending}
          onClick={() => send({ app, leftovers: choicesToSend(leftovers.data, choices) })}
        >
          {texts.delete}
        </Button>
      }
    >
      <section aria-label={t.step} className={styles.step}>
        <h3>{t.step}</h3>
        <WhatIsDeleted app={app} />
        <LeftoverList found={leftovers} choices={choices} onChange={setChoices} />
      </section>
    </WizardFrame>
  )
}

function WhatIsDeleted({ app }: { app: App }) {
  return (
    <table className={classNames(styles.table, styles.stacked)}>
      <thead>
        <tr>
          {[t.appName, t.release, t.version, t.namespace].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <td data-title={t.appName}>
            <bdi>{app.displayName}</bdi>
          </td>
          <td data-title={t.release}>
            <bdi className="mono">{app.releaseName ?? '–'}</bdi>
          </td>
          <td data-title={t.version}>
            <bdi>{app.version + t.revision + (app.revision ?? '–')}</bdi>
          </td>
          <td data-title={t.namespace}>
            <bdi className="mono">{app.namespace}</bdi>
          </td>
        </tr>
      </tbody>
    </table>
  )
}
