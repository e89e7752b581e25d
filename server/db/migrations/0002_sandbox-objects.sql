CREATE TABLE "sandbox_objects" (
	"id" text NOT NULL,
	"account" text DEFAULT '' NOT NULL,
	"object" text NOT NULL,
	"body" jsonb NOT NULL,
	"sequence" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox_objects_sequence_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sandbox_objects_account_object_id_pk" PRIMARY KEY("account","object","id")
);
--> statement-breakpoint
CREATE INDEX "sandbox_objects_by_kind" ON "sandbox_objects" USING btree ("account","object","sequence");--> statement-breakpoint
CREATE INDEX "sandbox_events_undelivered" ON "sandbox_objects" USING btree ("sequence") WHERE "sandbox_objects"."object" = 'event' and ("sandbox_objects"."body" ->> 'pending_webhooks')::int > 0;