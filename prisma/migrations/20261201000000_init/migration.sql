-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('viewer', 'operator', 'workload_owner', 'approver', 'admin');

-- CreateEnum
CREATE TYPE "subject_kind" AS ENUM ('cluster', 'scale_set', 'node', 'switch');

-- CreateEnum
CREATE TYPE "switch_tier" AS ENUM ('leaf', 'spine');

-- CreateEnum
CREATE TYPE "service_state" AS ENUM ('in_service', 'draining', 'drained', 'down', 'powered_down', 'absent', 'unknown');

-- CreateEnum
CREATE TYPE "observed_field" AS ENUM ('cluster_definition', 'vmss_model', 'instance_model', 'host_report', 'service', 'workload', 'power', 'topology', 'telemetry');

-- CreateEnum
CREATE TYPE "component" AS ENUM ('image', 'os', 'kernel', 'gpu_driver', 'gpu_driver_library', 'cuda', 'rdma', 'hca_firmware', 'switch_firmware', 'bmc_firmware', 'scheduler_agent', 'host_key', 'none');

-- CreateEnum
CREATE TYPE "observed_kind" AS ENUM ('value', 'absent', 'unreadable');

-- CreateEnum
CREATE TYPE "maintenance_type" AS ENUM ('gpu_driver', 'cuda_toolkit', 'ib_hca_firmware', 'ib_switch_firmware', 'os_kernel', 'bmc_firmware', 'vmss_image');

-- CreateEnum
CREATE TYPE "change_state" AS ENUM ('PENDING', 'PREFLIGHT', 'IN_PROGRESS', 'ROLLBACK', 'COMPLETED', 'DEGRADED');

-- CreateEnum
CREATE TYPE "change_outcome" AS ENUM ('as_planned', 'partial', 'rolled_back', 'withdrawn');

-- CreateEnum
CREATE TYPE "gate_profile" AS ENUM ('low', 'medium', 'high', 'emergency', 'rehearsal');

-- CreateEnum
CREATE TYPE "change_purpose" AS ENUM ('maintenance', 'rehearsal');

-- CreateEnum
CREATE TYPE "urgency" AS ENUM ('planned', 'emergency');

-- CreateEnum
CREATE TYPE "advance" AS ENUM ('manual', 'auto');

-- CreateEnum
CREATE TYPE "execution" AS ENUM ('automatic', 'manual');

-- CreateEnum
CREATE TYPE "batch_state" AS ENUM ('waiting', 'running', 'succeeded', 'failed', 'decided', 'withdrawn');

-- CreateEnum
CREATE TYPE "target_role" AS ENUM ('canary', 'member');

-- CreateEnum
CREATE TYPE "node_step" AS ENUM ('waiting', 'checking', 'saving', 'protecting', 'draining', 'measuring', 'updating', 'rebooting', 'observing', 'validating', 'returning', 'accepted', 'unresolved', 'failed', 'rolling_back', 'rolled_back', 'rollback_failed', 'releasing', 'withheld', 'skipped', 'deferred', 'released', 'not_running', 'not_at_provider');

-- CreateEnum
CREATE TYPE "target_mode" AS ENUM ('update', 'validate_only');

-- CreateEnum
CREATE TYPE "target_aim" AS ENUM ('goal', 'prior');

-- CreateEnum
CREATE TYPE "rollback_capability" AS ENUM ('tested', 'untested', 'impossible');

-- CreateEnum
CREATE TYPE "command_state" AS ENUM ('planned', 'started', 'succeeded', 'failed', 'unknown', 'cancelled');

-- CreateEnum
CREATE TYPE "gate_id" AS ENUM ('acceptance_job', 'baseline', 'rehearsal', 'plan_approval', 'preflight', 'canary', 'acceptance_report', 'sign_off', 'second_reading', 'batches', 'fabric_validation', 'spot_validation', 'definition_agrees', 'close');

-- CreateEnum
CREATE TYPE "verdict" AS ENUM ('pass', 'fail', 'unresolved', 'not_applicable');

-- CreateEnum
CREATE TYPE "check_scope" AS ENUM ('node', 'group', 'change');

-- CreateEnum
CREATE TYPE "member_part" AS ENUM ('member', 'partner');

-- CreateEnum
CREATE TYPE "obligation_kind" AS ENUM ('drain', 'cordon', 'reservation', 'loan', 'keep_alive', 'suspend_exclusion', 'instance_protection', 'scale_out_stop', 'silence', 'relaxed_limit');

-- CreateEnum
CREATE TYPE "decision_kind" AS ENUM ('plan_approval', 'standing_approval', 'sign_off', 'rejection', 'canary_void', 'waiver', 'judgement', 'relaxation', 'override', 'finding_accepted', 'failed_batch', 'foreign_drain', 'drain_deadline', 'arrival', 'roll_back', 'leave_out', 'release', 'narrowing', 'class_split', 'class_merge', 'hold', 'hold_release', 'break_glass', 'revocation');

-- CreateEnum
CREATE TYPE "hold_kind" AS ENUM ('person', 'stop_all', 'failed_batch', 'fourth_failure', 'canary_rejected', 'window_closed', 'emergency', 'source_lost', 'unplanned_arrival', 'foreign_action', 'lost_drain', 'alert');

-- CreateEnum
CREATE TYPE "run_purpose" AS ENUM ('baseline', 'canary', 'acceptance', 'fabric_validation', 'spot_validation', 'rollback_acceptance');

-- CreateEnum
CREATE TYPE "rehearsal_kind" AS ENUM ('failure', 'recovery');

-- CreateEnum
CREATE TYPE "window_state" AS ENUM ('booked', 'cancelled');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('waiting', 'delivered', 'gave_up');

-- CreateTable
CREATE TABLE "people" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "roles" "role"[],
    "password_hash" TEXT,
    "oidc_subject" TEXT,
    "sessions_after" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clusters" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "production" BOOLEAN NOT NULL,
    "disposable" BOOLEAN NOT NULL,
    "execution" "execution" NOT NULL,
    "timezone" TEXT NOT NULL,
    "policy" JSONB NOT NULL DEFAULT '{}',
    "sources" JSONB NOT NULL,
    "config_hash" BYTEA NOT NULL,
    "topology" JSONB NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "clusters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "subjects" (
    "id" SERIAL NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "kind" "subject_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "host_epoch" INTEGER NOT NULL DEFAULT 0,
    "model_epoch" INTEGER NOT NULL DEFAULT 0,
    "boot_id" TEXT,
    "booted_at" TIMESTAMPTZ(3),
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subjects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scale_sets" (
    "id" INTEGER NOT NULL,
    "resource_id" TEXT NOT NULL,
    "flexible" BOOLEAN NOT NULL,

    CONSTRAINT "scale_sets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "switches" (
    "id" INTEGER NOT NULL,
    "tier" "switch_tier" NOT NULL,
    "fabric" TEXT NOT NULL DEFAULT 'compute',

    CONSTRAINT "switches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_classes" (
    "id" SERIAL NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "facts" JSONB NOT NULL,
    "part" TEXT NOT NULL DEFAULT '',
    "made_from" INTEGER[],
    "decision_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "node_classes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "nodes" (
    "id" INTEGER NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "sort_name" TEXT NOT NULL,
    "class_id" INTEGER NOT NULL,
    "scale_set_id" INTEGER,
    "instance_id" TEXT,
    "vm_id" TEXT,
    "gpu_count" SMALLINT NOT NULL,
    "hca_count" SMALLINT NOT NULL,
    "service" "service_state" NOT NULL DEFAULT 'unknown',
    "service_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "role" TEXT NOT NULL DEFAULT 'compute',
    "partitions" TEXT[],
    "drift" BOOLEAN NOT NULL DEFAULT false,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "nodes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "node_leaves" (
    "node_id" INTEGER NOT NULL,
    "leaf_id" INTEGER NOT NULL,

    CONSTRAINT "node_leaves_pkey" PRIMARY KEY ("node_id","leaf_id")
);

-- CreateTable
CREATE TABLE "host_keys" (
    "id" BIGSERIAL NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "key_type" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "host_epoch" INTEGER NOT NULL,
    "command_key" TEXT,
    "evidence_sha" BYTEA,
    "pinned_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "host_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "evidence" (
    "sha256" BYTEA NOT NULL,
    "media_type" TEXT NOT NULL,
    "byte_count" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,
    "redactions" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "evidence_pkey" PRIMARY KEY ("sha256")
);

-- CreateTable
CREATE TABLE "observations" (
    "id" BIGSERIAL NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "field" "observed_field" NOT NULL,
    "component" "component" NOT NULL DEFAULT 'none',
    "source" TEXT NOT NULL,
    "kind" "observed_kind" NOT NULL,
    "text" TEXT,
    "value" JSONB,
    "host_epoch" INTEGER NOT NULL,
    "model_epoch" INTEGER NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "request" TEXT NOT NULL,
    "observer" TEXT NOT NULL,
    "evidence_sha" BYTEA,
    "change_id" TEXT,
    "row_hash" BYTEA NOT NULL,

    CONSTRAINT "observations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "latest_observations" (
    "subject_id" INTEGER NOT NULL,
    "field" "observed_field" NOT NULL,
    "component" "component" NOT NULL,
    "source" TEXT NOT NULL,
    "observation_id" BIGINT NOT NULL,
    "kind" "observed_kind" NOT NULL,
    "text" TEXT,
    "host_epoch" INTEGER NOT NULL,
    "model_epoch" INTEGER NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "latest_observations_pkey" PRIMARY KEY ("subject_id","field","component","source")
);

-- CreateTable
CREATE TABLE "source_reads" (
    "cluster_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "wanted_every_ms" INTEGER NOT NULL DEFAULT 60000,
    "next_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "wanted_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "confirms_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "reason" TEXT,
    "listed" INTEGER,

    CONSTRAINT "source_reads_pkey" PRIMARY KEY ("cluster_id","source")
);

-- CreateTable
CREATE TABLE "changes" (
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "type" "maintenance_type" NOT NULL,
    "purpose" "change_purpose" NOT NULL DEFAULT 'maintenance',
    "urgency" "urgency" NOT NULL DEFAULT 'planned',
    "execution" "execution" NOT NULL,
    "state" "change_state" NOT NULL DEFAULT 'PENDING',
    "outcome" "change_outcome",
    "profile" "gate_profile" NOT NULL,
    "author_id" TEXT NOT NULL,
    "operator_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "people" JSONB NOT NULL,
    "plan_revision" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" BYTEA NOT NULL,
    "goal" JSONB NOT NULL,
    "goal_text" TEXT NOT NULL,
    "ticket" TEXT,
    "advance" "advance" NOT NULL DEFAULT 'manual',
    "canaries_asked_for" BOOLEAN NOT NULL DEFAULT false,
    "failed_batches" INTEGER NOT NULL DEFAULT 0,
    "streak" INTEGER NOT NULL DEFAULT 0,
    "committed_at" TIMESTAMPTZ(3),
    "next_action" JSONB NOT NULL DEFAULT '{}',
    "tally" JSONB NOT NULL DEFAULT '{}',
    "preflight_passed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plans" (
    "change_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "yaml" TEXT NOT NULL,
    "parsed" JSONB NOT NULL,
    "preview" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "standing_fingerprint" BYTEA NOT NULL,
    "author_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("change_id","revision")
);

-- CreateTable
CREATE TABLE "wakes" (
    "change_id" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "wake_seq" BIGINT NOT NULL DEFAULT 1,
    "ticked_seq" BIGINT NOT NULL DEFAULT 0,
    "next_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ticked_at" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "wakes_pkey" PRIMARY KEY ("change_id")
);

-- CreateTable
CREATE TABLE "batches" (
    "change_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "extra_of" INTEGER,
    "asked_for" BOOLEAN NOT NULL DEFAULT false,
    "state" "batch_state" NOT NULL DEFAULT 'waiting',
    "not_before" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("change_id","number")
);

-- CreateTable
CREATE TABLE "targets" (
    "id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "batch" INTEGER NOT NULL,
    "class_id" INTEGER NOT NULL,
    "role" "target_role" NOT NULL DEFAULT 'member',
    "mode" "target_mode" NOT NULL DEFAULT 'update',
    "scale_set_id" INTEGER,
    "step" "node_step" NOT NULL DEFAULT 'waiting',
    "aim" "target_aim" NOT NULL DEFAULT 'goal',
    "stage" SMALLINT NOT NULL DEFAULT 0,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "gpus" SMALLINT NOT NULL,
    "step_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deadline_at" TIMESTAMPTZ(3),
    "update_began" BOOLEAN NOT NULL DEFAULT false,
    "rollback" "rollback_capability" NOT NULL DEFAULT 'untested',
    "prior" JSONB,
    "saved" JSONB,
    "because" TEXT,
    "investigator_id" TEXT,
    "released_to_id" TEXT,
    "ticket" TEXT,
    "added_by_decision_id" TEXT,
    "over" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "targets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hands" (
    "cluster_id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hands_pkey" PRIMARY KEY ("cluster_id")
);

-- CreateTable
CREATE TABLE "places" (
    "change_id" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "field" "observed_field" NOT NULL,
    "prior" JSONB,
    "aim" "target_aim" NOT NULL DEFAULT 'prior',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "set_at" TIMESTAMPTZ(3),
    "read_back_at" TIMESTAMPTZ(3),
    "first_read_back_target_id" TEXT,

    CONSTRAINT "places_pkey" PRIMARY KEY ("change_id","subject_id","field")
);

-- CreateTable
CREATE TABLE "obligations" (
    "id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "target_id" TEXT,
    "subject_id" INTEGER,
    "kind" "obligation_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "prior" JSONB,
    "made_by" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "settled_because" TEXT,

    CONSTRAINT "obligations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commands" (
    "key" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "target_id" TEXT,
    "kind" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "state" "command_state" NOT NULL DEFAULT 'planned',
    "because" TEXT NOT NULL DEFAULT '',
    "request" JSONB NOT NULL,
    "handle" JSONB,
    "outcome" JSONB,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "worker" TEXT,
    "planned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "late" BOOLEAN NOT NULL DEFAULT false,
    "evidence_sha" BYTEA,

    CONSTRAINT "commands_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "checks" (
    "id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "gate" "gate_id" NOT NULL,
    "scope" "check_scope" NOT NULL DEFAULT 'node',
    "target_id" TEXT,
    "class_id" INTEGER,
    "batch" INTEGER,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "spec" JSONB NOT NULL,
    "not_applicable_because" TEXT,
    "waivable" BOOLEAN NOT NULL DEFAULT true,
    "settles_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "verdict" "verdict",
    "verdict_id" BIGINT,
    "because" TEXT NOT NULL DEFAULT 'not judged yet',
    "judged_at" TIMESTAMPTZ(3),

    CONSTRAINT "checks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "check_members" (
    "check_id" TEXT NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "part" "member_part" NOT NULL DEFAULT 'member',

    CONSTRAINT "check_members_pkey" PRIMARY KEY ("check_id","subject_id")
);

-- CreateTable
CREATE TABLE "verdicts" (
    "id" BIGSERIAL NOT NULL,
    "check_id" TEXT NOT NULL,
    "verdict" "verdict" NOT NULL,
    "reason" TEXT NOT NULL,
    "because" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "judged_at" TIMESTAMPTZ(3) NOT NULL,
    "evidence_sha" BYTEA,
    "run_id" TEXT,

    CONSTRAINT "verdicts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "citations" (
    "verdict_id" BIGINT NOT NULL,
    "observation_id" BIGINT NOT NULL,

    CONSTRAINT "citations_pkey" PRIMARY KEY ("verdict_id","observation_id")
);

-- CreateTable
CREATE TABLE "decisions" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "change_id" TEXT,
    "kind" "decision_kind" NOT NULL,
    "on_what" TEXT NOT NULL,
    "on_id" TEXT NOT NULL,
    "check_id" TEXT,
    "choice" TEXT NOT NULL,
    "permits" TEXT NOT NULL,
    "facts" JSONB NOT NULL DEFAULT '{}',
    "reason" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "by_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3),

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "holds" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "change_id" TEXT,
    "decision_id" TEXT,
    "kind" "hold_kind" NOT NULL,
    "batch" INTEGER,
    "target_id" TEXT,
    "because" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "released_at" TIMESTAMPTZ(3),
    "released_by_id" TEXT,
    "release_reason" TEXT,

    CONSTRAINT "holds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "findings" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "change_id" TEXT,
    "subject_id" INTEGER,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "because" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "blocks" BOOLEAN NOT NULL DEFAULT false,
    "accepted_by" TEXT,
    "decision_id" TEXT,
    "owner_id" TEXT,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closed_at" TIMESTAMPTZ(3),
    "closed_because" TEXT,

    CONSTRAINT "findings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "acceptance_jobs" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "spec" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "author_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acceptance_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "change_jobs" (
    "change_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "class_id" INTEGER NOT NULL,
    "job_id" TEXT NOT NULL,
    "baseline_id" TEXT,
    "capture" BOOLEAN NOT NULL DEFAULT false,
    "locked_by_id" TEXT NOT NULL,
    "locked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "change_jobs_pkey" PRIMARY KEY ("change_id","revision","class_id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "class_id" INTEGER NOT NULL,
    "subject_id" INTEGER NOT NULL,
    "change_id" TEXT,
    "purpose" "run_purpose" NOT NULL,
    "repeat" SMALLINT NOT NULL DEFAULT 1,
    "command_key" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "host_epoch" INTEGER NOT NULL,
    "context" JSONB NOT NULL,
    "execution" JSONB,
    "output" JSONB,
    "input_sha" BYTEA NOT NULL,
    "app_version" TEXT NOT NULL,
    "evidence_sha" BYTEA,

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "measurements" (
    "run_id" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "bucket" BIGINT NOT NULL DEFAULT 0,
    "placement" TEXT NOT NULL DEFAULT '',
    "value" DOUBLE PRECISION NOT NULL,
    "unit" TEXT NOT NULL,

    CONSTRAINT "measurements_pkey" PRIMARY KEY ("run_id","metric","bucket","placement")
);

-- CreateTable
CREATE TABLE "baselines" (
    "id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "class_id" INTEGER NOT NULL,
    "change_id" TEXT,
    "summary" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "captured_by_id" TEXT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),
    "retired_because" TEXT,

    CONSTRAINT "baselines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "baseline_runs" (
    "baseline_id" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,

    CONSTRAINT "baseline_runs_pkey" PRIMARY KEY ("baseline_id","run_id")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "class_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_readings" (
    "id" TEXT NOT NULL,
    "change_id" TEXT NOT NULL,
    "report_id" TEXT NOT NULL,
    "reader_id" TEXT NOT NULL,
    "answers" JSONB NOT NULL,
    "differences" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "second_readings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rehearsal_links" (
    "change_id" TEXT NOT NULL,
    "rehearsal_id" TEXT NOT NULL,
    "kind" "rehearsal_kind" NOT NULL,
    "finding" JSONB NOT NULL,
    "linked_by_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rehearsal_links_pkey" PRIMARY KEY ("change_id","rehearsal_id","kind")
);

-- CreateTable
CREATE TABLE "handoffs" (
    "id" TEXT NOT NULL,
    "change_id" TEXT,
    "from_id" TEXT NOT NULL,
    "to_id" TEXT,
    "offered_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),
    "answer" TEXT,
    "answered_by_id" TEXT,
    "page" JSONB NOT NULL,
    "fingerprint" BYTEA NOT NULL,

    CONSTRAINT "handoffs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "windows" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "change_id" TEXT,
    "title" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "state" "window_state" NOT NULL DEFAULT 'booked',
    "booked_by_id" TEXT NOT NULL,
    "proposal_id" TEXT,
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "windows_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "freezes" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT,
    "reason" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "rrule" TEXT,
    "timezone" TEXT NOT NULL,
    "cancelled_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "freezes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "proposals" (
    "id" TEXT NOT NULL,
    "cluster_id" TEXT NOT NULL,
    "question" JSONB NOT NULL,
    "answer" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "emergencies" (
    "change_id" TEXT NOT NULL,
    "criterion" JSONB NOT NULL,
    "declared_by_id" TEXT NOT NULL,
    "declared_at" TIMESTAMPTZ(3) NOT NULL,
    "notice_minutes" INTEGER NOT NULL,
    "announcement" TEXT NOT NULL,

    CONSTRAINT "emergencies_pkey" PRIMARY KEY ("change_id")
);

-- CreateTable
CREATE TABLE "post_mortems" (
    "change_id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "trigger" TEXT NOT NULL DEFAULT '',
    "timeline" JSONB NOT NULL DEFAULT '[]',
    "results" JSONB NOT NULL DEFAULT '[]',
    "rollbacks" JSONB NOT NULL DEFAULT '[]',
    "lessons" TEXT NOT NULL DEFAULT '',
    "actions" JSONB NOT NULL DEFAULT '[]',
    "closed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "post_mortems_pkey" PRIMARY KEY ("change_id")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "chain" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target_id" TEXT,
    "because" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("chain","seq")
);

-- CreateTable
CREATE TABLE "audit_heads" (
    "chain" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" TEXT NOT NULL,
    "dedup_key" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "release" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "beat_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped_at" TIMESTAMPTZ(3),

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clock" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "real_epoch" DOUBLE PRECISION NOT NULL,
    "shown_epoch" DOUBLE PRECISION NOT NULL,
    "factor" DOUBLE PRECISION NOT NULL DEFAULT 1,

    CONSTRAINT "clock_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "people_email_key" ON "people"("email");

-- CreateIndex
CREATE UNIQUE INDEX "people_oidc_subject_key" ON "people"("oidc_subject");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_hash_key" ON "api_tokens"("hash");

-- CreateIndex
CREATE INDEX "api_tokens_person_id_idx" ON "api_tokens"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "subjects_cluster_id_kind_name_key" ON "subjects"("cluster_id", "kind", "name");

-- CreateIndex
CREATE UNIQUE INDEX "scale_sets_resource_id_key" ON "scale_sets"("resource_id");

-- CreateIndex
CREATE UNIQUE INDEX "node_classes_cluster_id_fingerprint_key" ON "node_classes"("cluster_id", "fingerprint");

-- CreateIndex
CREATE INDEX "nodes_cluster_id_service_sort_name_idx" ON "nodes"("cluster_id", "service", "sort_name");

-- CreateIndex
CREATE INDEX "nodes_cluster_id_class_id_sort_name_idx" ON "nodes"("cluster_id", "class_id", "sort_name");

-- CreateIndex
CREATE INDEX "nodes_scale_set_id_idx" ON "nodes"("scale_set_id");

-- CreateIndex
CREATE UNIQUE INDEX "nodes_cluster_id_sort_name_key" ON "nodes"("cluster_id", "sort_name");

-- CreateIndex
CREATE INDEX "node_leaves_leaf_id_idx" ON "node_leaves"("leaf_id");

-- CreateIndex
CREATE INDEX "host_keys_subject_id_key_type_id_idx" ON "host_keys"("subject_id", "key_type", "id" DESC);

-- CreateIndex
CREATE INDEX "observations_subject_id_field_component_source_id_idx" ON "observations"("subject_id", "field", "component", "source", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "latest_observations_observation_id_key" ON "latest_observations"("observation_id");

-- CreateIndex
CREATE INDEX "latest_observations_field_component_text_subject_id_idx" ON "latest_observations"("field", "component", "text", "subject_id");

-- CreateIndex
CREATE INDEX "source_reads_next_due_at_idx" ON "source_reads"("next_due_at");

-- CreateIndex
CREATE INDEX "changes_cluster_id_ended_at_idx" ON "changes"("cluster_id", "ended_at");

-- CreateIndex
CREATE INDEX "changes_owner_id_idx" ON "changes"("owner_id");

-- CreateIndex
CREATE INDEX "changes_created_at_idx" ON "changes"("created_at" DESC);

-- CreateIndex
CREATE INDEX "targets_subject_id_idx" ON "targets"("subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "targets_change_id_subject_id_key" ON "targets"("change_id", "subject_id");

-- CreateIndex
CREATE INDEX "obligations_change_id_idx" ON "obligations"("change_id");

-- CreateIndex
CREATE INDEX "obligations_subject_id_idx" ON "obligations"("subject_id");

-- CreateIndex
CREATE INDEX "commands_change_id_planned_at_idx" ON "commands"("change_id", "planned_at");

-- CreateIndex
CREATE INDEX "commands_target_id_idx" ON "commands"("target_id");

-- CreateIndex
CREATE INDEX "checks_target_id_idx" ON "checks"("target_id");

-- CreateIndex
CREATE INDEX "check_members_subject_id_idx" ON "check_members"("subject_id");

-- CreateIndex
CREATE INDEX "verdicts_check_id_id_idx" ON "verdicts"("check_id", "id" DESC);

-- CreateIndex
CREATE INDEX "citations_observation_id_idx" ON "citations"("observation_id");

-- CreateIndex
CREATE INDEX "decisions_change_id_kind_idx" ON "decisions"("change_id", "kind");

-- CreateIndex
CREATE INDEX "decisions_on_what_on_id_idx" ON "decisions"("on_what", "on_id");

-- CreateIndex
CREATE INDEX "holds_change_id_idx" ON "holds"("change_id");

-- CreateIndex
CREATE INDEX "findings_change_id_idx" ON "findings"("change_id");

-- CreateIndex
CREATE INDEX "findings_subject_id_idx" ON "findings"("subject_id");

-- CreateIndex
CREATE UNIQUE INDEX "acceptance_jobs_name_version_key" ON "acceptance_jobs"("name", "version");

-- CreateIndex
CREATE UNIQUE INDEX "runs_command_key_key" ON "runs"("command_key");

-- CreateIndex
CREATE INDEX "runs_change_id_idx" ON "runs"("change_id");

-- CreateIndex
CREATE INDEX "runs_job_id_class_id_idx" ON "runs"("job_id", "class_id");

-- CreateIndex
CREATE INDEX "baselines_job_id_class_id_idx" ON "baselines"("job_id", "class_id");

-- CreateIndex
CREATE UNIQUE INDEX "reports_change_id_class_id_number_key" ON "reports"("change_id", "class_id", "number");

-- CreateIndex
CREATE INDEX "second_readings_change_id_idx" ON "second_readings"("change_id");

-- CreateIndex
CREATE INDEX "handoffs_change_id_idx" ON "handoffs"("change_id");

-- CreateIndex
CREATE INDEX "windows_cluster_id_starts_at_idx" ON "windows"("cluster_id", "starts_at");

-- CreateIndex
CREATE INDEX "windows_change_id_idx" ON "windows"("change_id");

-- CreateIndex
CREATE INDEX "freezes_starts_at_idx" ON "freezes"("starts_at");

-- CreateIndex
CREATE INDEX "proposals_cluster_id_at_idx" ON "proposals"("cluster_id", "at");

-- CreateIndex
CREATE INDEX "audit_events_target_id_idx" ON "audit_events"("target_id");

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events"("at");

-- CreateIndex
CREATE UNIQUE INDEX "messages_channel_dedup_key_key" ON "messages"("channel", "dedup_key");

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "subjects" ADD CONSTRAINT "subjects_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scale_sets" ADD CONSTRAINT "scale_sets_id_fkey" FOREIGN KEY ("id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "switches" ADD CONSTRAINT "switches_id_fkey" FOREIGN KEY ("id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_classes" ADD CONSTRAINT "node_classes_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_id_fkey" FOREIGN KEY ("id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "node_classes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_scale_set_id_fkey" FOREIGN KEY ("scale_set_id") REFERENCES "scale_sets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_leaves" ADD CONSTRAINT "node_leaves_node_id_fkey" FOREIGN KEY ("node_id") REFERENCES "nodes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "node_leaves" ADD CONSTRAINT "node_leaves_leaf_id_fkey" FOREIGN KEY ("leaf_id") REFERENCES "switches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "host_keys" ADD CONSTRAINT "host_keys_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "observations" ADD CONSTRAINT "observations_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "observations" ADD CONSTRAINT "observations_evidence_sha_fkey" FOREIGN KEY ("evidence_sha") REFERENCES "evidence"("sha256") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "latest_observations" ADD CONSTRAINT "latest_observations_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "latest_observations" ADD CONSTRAINT "latest_observations_observation_id_fkey" FOREIGN KEY ("observation_id") REFERENCES "observations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "source_reads" ADD CONSTRAINT "source_reads_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plans" ADD CONSTRAINT "plans_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wakes" ADD CONSTRAINT "wakes_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "targets" ADD CONSTRAINT "targets_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "targets" ADD CONSTRAINT "targets_change_id_batch_fkey" FOREIGN KEY ("change_id", "batch") REFERENCES "batches"("change_id", "number") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "targets" ADD CONSTRAINT "targets_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hands" ADD CONSTRAINT "hands_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hands" ADD CONSTRAINT "hands_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "places" ADD CONSTRAINT "places_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "places" ADD CONSTRAINT "places_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "targets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "obligations" ADD CONSTRAINT "obligations_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commands" ADD CONSTRAINT "commands_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commands" ADD CONSTRAINT "commands_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "targets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commands" ADD CONSTRAINT "commands_evidence_sha_fkey" FOREIGN KEY ("evidence_sha") REFERENCES "evidence"("sha256") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checks" ADD CONSTRAINT "checks_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checks" ADD CONSTRAINT "checks_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "targets"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_members" ADD CONSTRAINT "check_members_check_id_fkey" FOREIGN KEY ("check_id") REFERENCES "checks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "check_members" ADD CONSTRAINT "check_members_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_check_id_fkey" FOREIGN KEY ("check_id") REFERENCES "checks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "verdicts" ADD CONSTRAINT "verdicts_evidence_sha_fkey" FOREIGN KEY ("evidence_sha") REFERENCES "evidence"("sha256") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "citations" ADD CONSTRAINT "citations_verdict_id_fkey" FOREIGN KEY ("verdict_id") REFERENCES "verdicts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "citations" ADD CONSTRAINT "citations_observation_id_fkey" FOREIGN KEY ("observation_id") REFERENCES "observations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_check_id_fkey" FOREIGN KEY ("check_id") REFERENCES "checks"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "holds" ADD CONSTRAINT "holds_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_jobs" ADD CONSTRAINT "change_jobs_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_jobs" ADD CONSTRAINT "change_jobs_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "node_classes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_jobs" ADD CONSTRAINT "change_jobs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "acceptance_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "change_jobs" ADD CONSTRAINT "change_jobs_baseline_id_fkey" FOREIGN KEY ("baseline_id") REFERENCES "baselines"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "acceptance_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "node_classes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_subject_id_fkey" FOREIGN KEY ("subject_id") REFERENCES "subjects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_evidence_sha_fkey" FOREIGN KEY ("evidence_sha") REFERENCES "evidence"("sha256") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "measurements" ADD CONSTRAINT "measurements_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baselines" ADD CONSTRAINT "baselines_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "acceptance_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baselines" ADD CONSTRAINT "baselines_class_id_fkey" FOREIGN KEY ("class_id") REFERENCES "node_classes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baseline_runs" ADD CONSTRAINT "baseline_runs_baseline_id_fkey" FOREIGN KEY ("baseline_id") REFERENCES "baselines"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "baseline_runs" ADD CONSTRAINT "baseline_runs_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_readings" ADD CONSTRAINT "second_readings_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_readings" ADD CONSTRAINT "second_readings_report_id_fkey" FOREIGN KEY ("report_id") REFERENCES "reports"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rehearsal_links" ADD CONSTRAINT "rehearsal_links_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rehearsal_links" ADD CONSTRAINT "rehearsal_links_rehearsal_id_fkey" FOREIGN KEY ("rehearsal_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "handoffs" ADD CONSTRAINT "handoffs_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "windows" ADD CONSTRAINT "windows_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "freezes" ADD CONSTRAINT "freezes_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_cluster_id_fkey" FOREIGN KEY ("cluster_id") REFERENCES "clusters"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emergencies" ADD CONSTRAINT "emergencies_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "post_mortems" ADD CONSTRAINT "post_mortems_change_id_fkey" FOREIGN KEY ("change_id") REFERENCES "changes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ══ What Prisma cannot say ══
-- 1 append-only  2 frozen rows  3 copies kept by trigger  4 audit chain  5 partial and special indexes  6 retention

-- 1 ── append-only ────────────────────────────────────────────────────────────────────────────────────────────────
create function append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('clearance.retention', true) = tg_table_name then return old; end if;
  raise exception 'rows of % are never changed or removed (%). Write a new row instead.', tg_table_name, tg_op;
end $$;

do $$
declare t text;
begin
  foreach t in array array['observations', 'evidence', 'plans', 'verdicts', 'citations', 'decisions', 'node_classes', 'acceptance_jobs',
    'change_jobs', 'measurements', 'baseline_runs', 'host_keys', 'check_members', 'reports', 'second_readings', 'rehearsal_links', 'proposals', 'emergencies', 'audit_events']
  loop
    execute format('create trigger append_only before update or delete on %I for each row execute function append_only()', t);
    execute format('create trigger append_only_truncate before truncate on %I for each statement execute function append_only()', t);
  end loop;
end $$;

-- 2 ── frozen once closed ─────────────────────────────────────────────────────────────────────────────────────────
create function frozen_after() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'rows of % are never removed', tg_table_name; end if;
  if (to_jsonb(old) ->> tg_argv[0]) is not null then
    raise exception 'this row of % is closed since %', tg_table_name, to_jsonb(old) ->> tg_argv[0];
  end if;
  return new;
end $$;

create trigger frozen before update or delete on commands     for each row execute function frozen_after('finished_at');
create trigger frozen before update or delete on holds        for each row execute function frozen_after('released_at');
create trigger frozen before update or delete on findings     for each row execute function frozen_after('closed_at');
create trigger frozen before update or delete on obligations  for each row execute function frozen_after('settled_at');
create trigger frozen before update or delete on runs         for each row execute function frozen_after('finished_at');
create trigger frozen before update or delete on baselines    for each row execute function frozen_after('retired_at');
create trigger frozen before update or delete on handoffs     for each row execute function frozen_after('answered_at');
create trigger frozen before update or delete on post_mortems for each row execute function frozen_after('closed_at');
create trigger frozen before update or delete on api_tokens   for each row execute function frozen_after('revoked_at');

-- 3 ── copies ─────────────────────────────────────────────────────────────────────────────────────────────────────
create function observations_latest() returns trigger language plpgsql as $$
begin
  insert into latest_observations as l (subject_id, field, component, source, observation_id, kind, text, host_epoch, model_epoch, observed_at)
  select distinct on (subject_id, field, component, source) subject_id, field, component, source, id, kind, text, host_epoch, model_epoch, observed_at
  from fresh order by subject_id, field, component, source, observed_at desc, id desc
  on conflict (subject_id, field, component, source) do update
    set (observation_id, kind, text, host_epoch, model_epoch, observed_at)
      = (excluded.observation_id, excluded.kind, excluded.text, excluded.host_epoch, excluded.model_epoch, excluded.observed_at)
    where (excluded.observed_at, excluded.observation_id) > (l.observed_at, l.observation_id);
  return null;
end $$;
create trigger observations_latest after insert on observations referencing new table as fresh
  for each statement execute function observations_latest();

create function verdicts_current() returns trigger language plpgsql as $$
begin
  update checks c set verdict = f.verdict, verdict_id = f.id, because = f.because, judged_at = f.judged_at
  from (select distinct on (check_id) check_id, id, verdict, because, judged_at from fresh order by check_id, id desc) f
  where c.id = f.check_id and coalesce(c.verdict_id, 0) < f.id;
  return null;
end $$;
create trigger verdicts_current after insert on verdicts referencing new table as fresh
  for each statement execute function verdicts_current();

-- A pass needs a cited observation, a run or stored evidence: nothing passes on air. Checked at commit.
create function pass_rests_on_something() returns trigger language plpgsql as $$
begin
  if new.verdict = 'pass' and new.evidence_sha is null and new.run_id is null
     and not exists (select 1 from citations where verdict_id = new.id) then
    raise exception 'verdict % passes check % without evidence', new.id, new.check_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger pass_rests_on_something after insert on verdicts deferrable initially deferred
  for each row execute function pass_rests_on_something();

alter table checks add constraint not_applicable_is_said_beforehand
  check ((verdict is not distinct from 'not_applicable') = (not_applicable_because is not null));

-- A waiver needs an unresolved, waivable check at the moment it is given; a failure cannot be waived.
create function waiver_needs_unresolved() returns trigger language plpgsql as $$
begin
  if new.until is null or not exists (select 1 from checks where id = new.check_id and verdict = 'unresolved' and waivable) then
    raise exception 'only an unresolved check that may be waived can be waived, with an expiry' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger waiver_needs_unresolved before insert on decisions for each row when (new.kind = 'waiver') execute function waiver_needs_unresolved();

-- 4 ── audit chain ────────────────────────────────────────────────────────────────────────────────────────────────
alter table audit_events
  add column prev_seq int generated always as (nullif(seq - 1, 0)) stored,
  add constraint audit_hash check (hash = sha256(prev_hash || convert_to(body, 'UTF8'))),
  add constraint audit_first check (seq > 0 and (seq > 1 or prev_hash = sha256(convert_to(chain, 'UTF8')))),
  add constraint audit_link_key unique (chain, seq, hash),
  add constraint audit_link foreign key (chain, prev_seq, prev_hash) references audit_events (chain, seq, hash);
alter table evidence add constraint evidence_hash check (sha256 = sha256(bytes) and byte_count = length(bytes));

-- 5 ── indexes ────────────────────────────────────────────────────────────────────────────────────────────────────
-- One change at a time has a node, and only one has nodes of a cluster under way (trigger hand_first).
create unique index targets_one_hand on targets (subject_id)
  where step not in ('waiting', 'accepted', 'rolled_back', 'withheld', 'skipped', 'deferred', 'released', 'not_running', 'not_at_provider') and not over;
create index targets_busy on targets (change_id)
  where step not in ('waiting', 'accepted', 'rolled_back', 'withheld', 'skipped', 'deferred', 'released', 'not_running', 'not_at_provider');
create function hand_first() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from hands h join changes c on c.cluster_id = h.cluster_id where c.id = new.change_id and h.change_id = c.id) then
    raise exception 'another change has nodes of this cluster in hand: % may not go to %', new.name, new.step using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger hand_first before insert or update of step on targets for each row
  when (new.step in ('checking', 'saving', 'protecting', 'draining', 'measuring', 'updating', 'rebooting', 'observing', 'validating', 'returning', 'rolling_back', 'releasing'))
  execute function hand_first();
create index changes_active on changes (cluster_id) where ended_at is null;
create index commands_open on commands (change_id) where finished_at is null;
create index commands_overdue on commands (deadline_at) where finished_at is null;
create index checks_open on checks (change_id) where verdict in ('fail', 'unresolved');
create unique index checks_identity on checks (change_id, gate, target_id, class_id, batch, generation, name) nulls not distinct;
create index holds_open on holds (change_id) where released_at is null;
create unique index findings_open_once on findings (cluster_id, key) where closed_at is null;
create index findings_open on findings (cluster_id, opened_at desc) where closed_at is null;
create index wakes_due on wakes (next_due_at) where active;
create index wakes_unseen on wakes (change_id) where active and wake_seq > ticked_seq;
create index messages_waiting on messages (next_try_at) where state = 'waiting';
create index obligations_open on obligations (change_id) where settled_at is null;
create index handoffs_open on handoffs (to_id) where answered_at is null;
create index post_mortems_open on post_mortems (due_at) where closed_at is null;
create index nodes_drift on nodes (cluster_id, sort_name) where drift;
create index windows_span on windows using gist (tstzrange(starts_at, ends_at));
create index observations_age on observations using brin (recorded_at);
create index observations_of_change on observations (change_id, subject_id) where change_id is not null;

alter table windows add constraint window_is_a_span check (starts_at < ends_at);
alter table freezes add constraint freeze_is_a_span check (starts_at < ends_at);
alter table changes add constraint outcome_fits_state check (
  (outcome is not null) = (state = 'COMPLETED') and (ended_at is not null) = (state in ('COMPLETED', 'DEGRADED'))
  and (state not in ('COMPLETED', 'DEGRADED') or (outcome is not distinct from 'withdrawn') = (started_at is null)));
create function change_moves() returns trigger language plpgsql as $$
begin
  if (old.state::text || '>' || new.state::text) not in ('PENDING>PREFLIGHT', 'PREFLIGHT>PENDING', 'PREFLIGHT>IN_PROGRESS', 'IN_PROGRESS>ROLLBACK',
    'ROLLBACK>IN_PROGRESS', 'IN_PROGRESS>COMPLETED', 'IN_PROGRESS>DEGRADED', 'PENDING>COMPLETED', 'PREFLIGHT>COMPLETED') then
    raise exception 'a change does not go from % to %', old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger change_moves before update of state on changes for each row when (old.state is distinct from new.state) execute function change_moves();
alter table holds add constraint stop_all_has_no_change check ((kind = 'stop_all') = (change_id is null));
alter table targets add constraint released_has_owner_and_ticket check (step <> 'released' or (released_to_id is not null and ticket is not null));
alter table places add constraint place_is_definition_or_model check (field in ('cluster_definition', 'vmss_model'));
alter table latest_observations set (fillfactor = 70);
alter table checks set (fillfactor = 80);
alter table targets set (fillfactor = 70);
alter table wakes set (fillfactor = 50);

-- 6 ── retention ──────────────────────────────────────────────────────────────────────────────────────────────────
-- Observations made outside a change, older than the limit, not the newest of their kind and cited by nobody.
create function forget_observations(older_than timestamptz, at_most int) returns int language plpgsql as $$
declare n int;
begin
  perform set_config('clearance.retention', 'observations', true);
  delete from observations where id in (
    select o.id from observations o
    where o.recorded_at < older_than and o.change_id is null
      and not exists (select 1 from latest_observations l where l.observation_id = o.id)
      and not exists (select 1 from citations c where c.observation_id = o.id)
    limit at_most);
  get diagnostics n = row_count;
  perform set_config('clearance.retention', 'evidence', true);
  delete from evidence e where e.created_at < older_than
    and not exists (select 1 from observations o where o.evidence_sha = e.sha256)
    and not exists (select 1 from verdicts v where v.evidence_sha = e.sha256)
    and not exists (select 1 from commands c where c.evidence_sha = e.sha256)
    and not exists (select 1 from runs r where r.evidence_sha = e.sha256);
  perform set_config('clearance.retention', '', true);
  return n;
end $$;

-- 7 ── the clock ──────────────────────────────────────────────────────────────────────────────────────────────────
-- Shown time: runs `factor` times as fast as real time since `real_epoch` (1 outside the demo). Everything a plan or a rule names is shown time.
alter table clock add constraint clock_has_one_row check (id = 1);
alter table clock add constraint clock_factor check (factor between 1 and 60);
insert into clock (id, real_epoch, shown_epoch, factor)
  select 1, extract(epoch from clock_timestamp()), extract(epoch from clock_timestamp()), 1;
create function clearance_now() returns timestamptz language sql volatile as $$
  select coalesce((select to_timestamp(shown_epoch + (extract(epoch from clock_timestamp()) - real_epoch) * factor) from clock), clock_timestamp())
$$;

-- 8 ── names of changes ───────────────────────────────────────────────────────────────────────────────────────────
-- Short enough to be typed before something destructive; a number left out by a refused plan is no gap in the record.
create sequence change_numbers start 101;
