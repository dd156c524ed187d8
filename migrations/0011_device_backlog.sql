DROP INDEX `delivery_device`;--> statement-breakpoint
CREATE INDEX `delivery_device` ON `delivery` (`device_row`,`lane`,`urgent`,`due_at`) WHERE "delivery"."state" = 'pending';