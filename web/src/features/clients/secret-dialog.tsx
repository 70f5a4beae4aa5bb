import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { CodeView } from '../../ui/text/code-view.tsx'
import styles from './client-dialog.module.css'

interface Props {
  clientId: string
  secret: string
  onClose: () => void
}

/** The secret of a client, shown this once. */
export function SecretDialog({ clientId, secret, onClose }: Props) {
  return (
    <FormDialog title={`Secret of ${clientId}`} submitLabel="Done" busy={false} onClose={onClose} onSubmit={onClose}>
      <p className={styles.text}>
        <bdi>This is the only time that the secret is shown. Keep it where the application finds it.</bdi>
      </p>
      <CodeView label="Client id and secret" code={`CLIENT=${clientId}\nSECRET=${secret}`} />
    </FormDialog>
  )
}
