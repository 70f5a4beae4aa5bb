import type { WorkloadLimits } from '@quayside/contract/clusters/scaling'
import { mostReplicas } from '@quayside/contract/clusters/scaling-bounds'
import { useState } from 'react'
import type { useChangeWorkload } from '../../../api/clusters/scaling.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import styles from './app-scaling.module.css'

interface Props {
  appId: string
  workload: WorkloadLimits
  change: ReturnType<typeof useChangeWorkload>
  onClose: () => void
  onDone: (nothing: undefined) => void
}

/** Sets the number of replicas of a workload. */
export function ReplicasDialog({ appId, workload, change, onClose, onDone }: Props) {
  const { kind, name, replicas, released } = workload
  const [text, setText] = useState(String(replicas ?? 1))
  const wanted = /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined
  const isFit = wanted !== undefined && wanted <= mostReplicas
  const refused = change.error instanceof ApiError && change.error.field === 'replicas' ? change.error : undefined
  const submit = () => {
    if (!isFit || (kind !== 'Deployment' && kind !== 'StatefulSet')) return
    const body = { appId, kind, name, replicas: wanted } as const
    change.mutate({ set: 'replicas', body }, { onSuccess: () => onDone(undefined) })
  }
  return (
    <FormDialog
      title={`Scale ${name}`}
      submitLabel="Scale"
      busy={change.isPending}
      disabled={!isFit}
      error={refused === undefined ? change.error : undefined}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField
        label="Replicas"
        inputMode="numeric"
        data-autofocus
        value={text}
        error={isFit ? refused?.message : `Enter a whole number from 0 to ${mostReplicas}.`}
        onChange={(event) => {
          change.reset()
          setText(event.target.value)
        }}
      />
      <p className={styles.note}>
        <bdi>
          {wanted === 0 && 'With 0 replicas nothing of this workload runs, and it cannot be reached. '}
          {released.replicas === null
            ? 'The release does not set the replicas, so an upgrade leaves them as they are.'
            : `The next upgrade or rollback sets them back to what its values say, which is ${released.replicas} now.`}
        </bdi>
      </p>
    </FormDialog>
  )
}
