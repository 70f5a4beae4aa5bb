import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton } from '../../ui/actions/button.tsx'
import { ProgressBar } from '../../ui/states/progress-bar.tsx'
import styles from './upload-list.module.css'
import type { Upload } from './use-uploads.ts'

const looks = { running: 'running', done: 'success', failed: 'failed' } as const

export function UploadList({ uploads, onDismiss }: { uploads: readonly Upload[]; onDismiss: (id: number) => void }) {
  if (uploads.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Uploads">
      {uploads.map((upload) => (
        <li key={upload.id} className={styles.upload}>
          <IconFileZip size={20} stroke={1.5} aria-hidden />
          <div className={styles.body}>
            <span className={styles.line}>
              <bdi className={styles.name}>{upload.name}</bdi>
              <bdi>{upload.percent} %</bdi>
            </span>
            <ProgressBar label={`Upload of ${upload.name}`} percent={upload.percent} look={looks[upload.state]} />
            {upload.message !== '' && (
              <span
                role={upload.state === 'failed' ? 'alert' : 'status'}
                className={upload.state === 'failed' ? styles.failed : styles.done}
              >
                <bdi>{upload.message}</bdi>
              </span>
            )}
          </div>
          <IconButton
            icon={IconX}
            label={upload.state === 'running' ? `Stop the upload of ${upload.name}` : 'Dismiss'}
            onClick={() => onDismiss(upload.id)}
          />
        </li>
      ))}
    </ul>
  )
}
