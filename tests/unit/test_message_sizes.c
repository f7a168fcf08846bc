/* Sizes of messages: how often which are drawn, against the function of the table; means against sums over all sizes; what is refused. */
#include "helpers.h"

#include "base/random.h"
#include "patterns/message_sizes.h"

#include <math.h>
#include <stdlib.h>

static struct message_sizes read_fine(const char *spec)
{
	struct error error = {0};
	struct message_sizes sizes;
	assert_int_equal(message_sizes_read(&sizes, spec, &error), 0);
	assert_fine(&error);
	return sizes;
}

static void refuse(const char *spec, const char *words)
{
	struct error error = {0};
	struct message_sizes sizes;
	assert_int_equal(message_sizes_read(&sizes, spec, &error), -1);
	assert_error(&error, STATUS_USAGE, words);
	message_sizes_clear(&sizes);
}

/* Returns the specification of a file with that text. */
static const char *file_spec(const char *text)
{
	static char spec[320];
	snprintf(spec, sizeof spec, "file:%s", write_text("sizes", text).text);
	return spec;
}

enum { DRAWS = 200000 };

/* Draws of a stream; the moments in *mean and *square, and how many are at most so large. */
static double draw(const struct message_sizes *sizes, double at_most, double *mean, double *square)
{
	struct random random;
	double below = 0;
	random_start(&random, 7, RANDOM_PATTERN, 0);
	*mean = *square = 0;
	for (int i = 0; i < DRAWS; i++) {
		uint32_t word[4] = {random_bits(&random), random_bits(&random), random_bits(&random), random_bits(&random)};
		double bytes = (double)message_size(sizes, word);
		assert_true(bytes >= 1);
		assert_true(bytes == (double)message_size(sizes, word));
		*mean += bytes / DRAWS;
		*square += bytes * bytes / DRAWS;
		below += bytes <= at_most;
	}
	return below / DRAWS;
}

/* Shares below a size within five standard deviations; the mean, too. */
static void check_share(const char *spec, double at_most, double share)
{
	struct message_sizes sizes = read_fine(spec);
	double mean, square, found = draw(&sizes, at_most, &mean, &square), wanted = message_sizes_mean(&sizes);
	if (fabs(found - share) > 5 * sqrt(share * (1 - share) / DRAWS) + 1e-9)
		fail_msg("%s: the share up to %g is %g, not %g", spec, at_most, found, share);
	if (fabs(mean - wanted) > 5 * sqrt((square - mean * mean) / DRAWS) + 1e-9)
		fail_msg("%s: the mean is %g, not %g", spec, mean, wanted);
	if (fabs(square / (mean * mean) / message_sizes_spread(&sizes) - 1) > .05)
		fail_msg("%s: the spread is %g, not %g", spec, square / (mean * mean), message_sizes_spread(&sizes));
	message_sizes_clear(&sizes);
}

TEST(the_published_tables)
{
	check_share("websearch", 10e3, .15);
	check_share("websearch", 80e3, .53);
	check_share("websearch", 1.5e6, .75);
	check_share("websearch", 10e6, .97);
	check_share("datamining", 1100, .5);
	check_share("datamining", 10e3, .8);
	check_share("datamining", 100e6, .98);
	struct message_sizes sizes = read_fine("websearch");
	assert_float_equal(message_sizes_mean(&sizes), 1711250, 1e-3);
	message_sizes_clear(&sizes);
}

TEST(uniform_sizes_are_whole_numbers)
{
	check_share("uniform:1,4", 1, .25);
	check_share("uniform:1,4", 3, .75);
	check_share("uniform:1,4", 4, 1);
	check_share("uniform:64,4k", 2000, (2000. - 63) / (4000 - 63));
	check_share("uniform:9,9", 8, 0);
	check_share("uniform:9,9", 9, 1);
}

TEST(files)
{
	check_share(file_spec("64 0\n64 0.5\n4096 0.5\n4096 1\n"), 64, .5); /* two sizes */
	check_share(file_spec("64 0\n64 0.5\n4096 0.5\n4096 1\n"), 4095, .5);
	check_share(file_spec("# percent\n100 25\n\n200 100 # the rest\n"), 100, .25 + .75 * .5 / 100);
	check_share(file_spec("7 1\n"), 6, 0);
	refuse(file_spec("7 0.9\n"), "the share of the largest size is not 1");
	refuse(file_spec(""), "the share of the largest size is not 1");
	refuse(file_spec("7 0.5\n6 1\n"), ":2: bytes and shares must not fall");
	refuse(file_spec("7 0.5\n8 0.4\n"), ":2: bytes and shares must not fall");
	refuse(file_spec("7\n"), ":1: expected 'bytes share'");
	refuse(file_spec("7 1 1\n"), ":1: expected 'bytes share'");
	refuse(file_spec("7 -1\n"), ":1: expected 'bytes share'");
	refuse(file_spec("0 1\n"), "no size is 1 or more");
}

/* Against the sum over all whole numbers. */
TEST(packets_of_messages)
{
	for (uint32_t least = 1; least < 12; least += 3)
		for (uint32_t most = least; most < 40; most += 7)
			for (uint32_t mtu = 1; mtu < 20; mtu += 5) {
				char spec[40];
				double sum = 0;
				snprintf(spec, sizeof spec, "uniform:%u,%u", (unsigned)least, (unsigned)most);
				struct message_sizes sizes = read_fine(spec);
				for (uint32_t bytes = least; bytes <= most; bytes++)
					sum += (double)((bytes + mtu - 1) / mtu) / (most - least + 1);
				assert_float_equal(message_sizes_packets(&sizes, mtu), sum, 1e-9);
				message_sizes_clear(&sizes);
			}
	struct message_sizes sizes = read_fine(file_spec("64 0\n64 0.5\n4096 0.5\n4096 1\n"));
	assert_float_equal(message_sizes_packets(&sizes, 1000), .5 * 1 + .5 * 5, 1e-9);
	message_sizes_clear(&sizes);
}

TEST(what_is_refused)
{
	refuse("pareto", "unknown distribution of message sizes 'pareto'");
	refuse("websearch:2", "take no parameter");
	refuse("uniform", "the smallest and the largest");
	refuse("uniform:5", "the smallest and the largest");
	refuse("uniform:5,4", "the smallest and the largest");
	refuse("uniform:0,4", "the smallest and the largest");
	refuse("uniform:1,2T", "the smallest and the largest");
	refuse("file", "take a path");
	assert_null(message_sizes_file("websearch"));
	assert_string_equal(message_sizes_file("file:a,b"), "a,b");
	struct error error = {0};
	struct message_sizes sizes;
	assert_int_equal(message_sizes_read(&sizes, "file:/no/such", &error), -1);
	assert_error(&error, STATUS_IO, "/no/such");
	message_sizes_clear(&sizes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_published_tables),
		cmocka_unit_test(uniform_sizes_are_whole_numbers),
		cmocka_unit_test(files),
		cmocka_unit_test(packets_of_messages),
		cmocka_unit_test(what_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
