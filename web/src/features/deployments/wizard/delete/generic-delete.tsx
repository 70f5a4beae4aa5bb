import { Modal } from '@mantine/core'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { waitForAction } from '../../../../api/deployments/ledger.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import type { Api } from '../../../../lib/api/api.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { Button } from '../../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../../ui/states/error-panel.tsx'
import { ProgressBar } from '../../../../ui/states/progress-bar.tsx'
import '../../../../ui/theme/mantine.css'
import { leftoversQuery, postAction } from '../../../../api/deployments/deployments.ts'
import { Outcome } from '../../progress/outcome.tsx'
import { useClosed } from '../../progress/use-send-action.ts'
import { type Choices, choicesToSend, LeftoverList } from '../../steps/leftover-list.tsx'
import { progressWords, texts } from '../../texts.ts'
import styles from './generic-delete.module.css'

const t = texts.remove
const waitSeconds = 60

/** The delete dialog of Serverless apps: one question, and then how it ended. */
export function GenericDelete({ app }: { app: App }) {
  const { api } = usePortal()
  const { close } = useWizards()
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [choices, setChoices] = useState<Choices>({})
  const [running, setRunning] = useState(false)
  const [ended, setEnded] = useState<Action>()
  const [error, setError] = useState<unknown>()
  const leftovers = useQuery(leftoversQuery(api, app.id))
  const closed = useClosed()

  const remove = async () => {
    setRunning(true)
    setError(undefined)
    setEnded(undefined)
    try {
      const body = { app, leftovers: choicesToSend(leftovers.data, choices) }
      const { actionId } = await postAction(api, 'Delete', body, key)
      const action = await endOf(api, actionId, closed)
      if (action.state === 'Success') close({ success: true, type: 'Delete' })
      else setEnded(action)
    } catch (reason) {
      setError(reason)
    } finally {
      setRunning(false)
      setKey(crypto.randomUUID())
    }
  }

  return (
    <Modal
      opened
      onClose={() => undefined}
      size={560}
      title={t.step}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <div className={styles.dialog}>
        <p className={styles.question}>
          <bdi>
            {texts.delete} <bdi>{app.displayName}</bdi> {t.question}
          </bdi>
        </p>
        <LeftoverList found={leftovers} choices={choices} disabled={running} heading="h3" onChange={setChoices} />
        {running && <ProgressBar label={t.deleting} />}
        {ended !== undefined && (
          <Outcome
            failed
            summary={ended.result?.summary ?? progressWords.Delete.task.failed}
            lines={ended.result?.lines ?? []}
          />
        )}
        {error != null && <ErrorPanel error={error} name={progressWords.Delete.task.failed} />}
        <div className={styles.buttons}>
          <span className={styles.note}>{running && <bdi>{texts.progress.goesOn}</bdi>}</span>
          <Button onClick={() => close(ended && { success: false, type: 'Delete' })}>
            {running ? texts.close : texts.cancel}
          </Button>
          <Button look="danger" busy={running} disabled={leftovers.isPending} onClick={() => void remove()}>
            {texts.delete}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** Waits on the server; whoever closes the dialog lets it go on alone. */
async function endOf(api: Api, actionId: string, closed: AbortSignal): Promise<Action> {
  for (;;) {
    const action = await waitForAction(api, actionId, waitSeconds, closed)
    if (!action.running) return action
  }
}
