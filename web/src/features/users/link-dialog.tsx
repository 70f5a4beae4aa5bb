import { linkHours } from '@quayside/contract/mail/limits'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import { linkActions } from '@quayside/contract/users/rules'
import { useState } from 'react'
import { useMakeLink } from '../../api/realms/mail.ts'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { fullName } from './full-name.ts'
import { ActionChoice } from './required-action-choice.tsx'
import styles from './users.module.css'

/** A link that was made, which is shown this once. */
export function MadeLink({ link, expiresAt }: { link: string; expiresAt: string }) {
  return (
    <>
      <CopyField label="Link" value={link} help="Whoever has the link can use it. It is shown only this once." />
      <p className={styles.text}>
        <bdi>
          It can be used once. It ends <RelativeTime at={expiresAt} />.
        </bdi>
      </p>
    </>
  )
}

/** Makes a link to hand over, where no mail reaches the person. */
export function LinkDialog({ user, onClose }: { user: UserDetail; onClose: () => void }) {
  const make = useMakeLink()
  const [chosen, setChosen] = useState<string[]>(['UPDATE_PASSWORD'])
  const [hours, setHours] = useState(String(linkHours.usual))
  const number = Number(hours)
  const isWrong = !/^\d{1,3}$/.test(hours) || number < linkHours.least || number > linkHours.most
  return (
    <FormDialog
      title={`Link for ${fullName(user)}`}
      submitLabel={make.data ? 'Close' : 'Make the link'}
      busy={make.isPending}
      disabled={!make.data && (chosen.length === 0 || isWrong)}
      error={make.error}
      errorName="Link"
      onClose={onClose}
      onSubmit={() => (make.data ? onClose() : make.mutate({ id: user.id, actions: chosen as never, hours: number }))}
    >
      {make.data ? (
        <MadeLink {...make.data} />
      ) : (
        <>
          <p className={styles.text}>
            <bdi>Give the link to this user yourself, by a way that others cannot read.</bdi>
          </p>
          <ActionChoice legend="The link lets them" offered={linkActions} chosen={chosen} onChange={setChosen} />
          <TextField
            label="Lasts for (hours)"
            inputMode="numeric"
            dir="ltr"
            maxLength={3}
            value={hours}
            error={isWrong ? `Enter a whole number from ${linkHours.least} to ${linkHours.most}` : undefined}
            onChange={(event) => setHours(event.target.value.trim())}
          />
        </>
      )}
    </FormDialog>
  )
}
